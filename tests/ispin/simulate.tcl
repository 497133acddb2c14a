# The page of simulations: the trail beside the model, steps back and forth, a random run, questions answered.
proc simulate {kind name} {
	global s_typ x swin vwin qwin msc
	set s_typ $kind
	$x.run.ctl.run invoke
	update
	pane ${name}_steps $swin
	pane ${name}_variables $vwin
	pane ${name}_queues $qwin
	drawing ${name}_chart $msc
	picture $name
}

# Presses the buttons of iSpin's questions in turn; after twelve, "quit".
set n_answers 0
proc answer {} {
	global n_answers
	if {[winfo exists .prompt.q]} {
		incr n_answers
		set buttons [lsearch -all -inline [winfo children .prompt] .prompt.b*]
		keep question$n_answers [join [lmap b $buttons { $b cget -text }] \n]
		if {$n_answers > 12} {
			.prompt.q invoke
		} else {
			[lindex $buttons [expr {$n_answers % [llength $buttons]}]] invoke
		}
	}
	after 20 answer
}

.f raise Sp
update
keep chosen $s_typ
$x.afq.delay.me delete 0 end
$x.afq.delay.me insert 0 0
simulate 1 guided
$x.run.ctl.reset invoke
for {set i 0} {$i < 8} {incr i} { $x.run.ctl.step invoke }
pane forward_variables $vwin
pane forward_queues $qwin
for {set i 0} {$i < 3} {incr i} { $x.run.ctl.back invoke }
pane back_variables $vwin
$x.sms.ub.ent delete 0 end
$x.sms.ub.ent insert 0 60
simulate 0 random
after 20 answer
simulate 2 interactive
