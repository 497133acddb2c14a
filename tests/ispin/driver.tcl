# Runs iSpin and presses its buttons: wish driver.tcl ISPIN MODEL RESULTS SCRIPT
# The script says what to press. What a pane shows is kept in a file of its name in the folder RESULTS.

lassign $argv ispin model results script
set argv [list $model]
set argc 1

# Questions are answered with yes and remembered, for nobody sits here to answer them.
set asked {}
proc tk_messageBox {args} {
	lappend ::asked [dict get $args -message]
	return yes
}

proc keep {name text} {
	set file [open [file join $::results $name] w]
	fconfigure $file -translation lf -encoding utf-8
	puts -nonewline $file $text
	close $file
}

proc pane {name widget} {
	keep $name [$widget get 1.0 end]
}

# The items of a canvas: kind, place and text.
proc drawing {name canvas} {
	set lines {}
	foreach item [$canvas find all] {
		set kind [$canvas type $item]
		set text [expr {$kind eq "text" ? [$canvas itemcget $item -text] : ""}]
		lappend lines "$kind [$canvas coords $item] $text"
	}
	keep $name [join $lines \n]
}

# A picture of the screen, for people, if a program that takes one is here.
proc picture {name} {
	update
	catch { exec import -window root [file join $::results $name.png] }
}

source $ispin
set CC $env(ISPIN_CC)
update
if {[catch { source $script } problem]} {
	keep problem "$problem\n$errorInfo"
}
keep asked [join $asked \n]
exit
