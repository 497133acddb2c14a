# The first page: checks, symbols, and the automata as dot draws them.
runsyntax 0
pane syntax $clog
$clog delete 1.0 end
runsyntax 1
pane redundancy $clog
$clog delete 1.0 end
symbol_table
pane symbols $clog
mk_graphs
foreach item [$fg find withtag hotlinks] {
	set process [$fg itemcget $item -text]
	if {$process ne "Select:"} {
		display_graph $process
		drawing automaton_$process $fg
	}
}
picture automata
