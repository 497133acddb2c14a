# The page of verifications: iSpin chooses safety or cycles by the labels of the model; then the run, and its table.
.f raise Vp
update
keep mode $p_mode
set c_mode [expr {$env(ISPIN_CLAIM) ne ""}]
$vpanel.top.fourth.rowA.nr insert 0 $env(ISPIN_CLAIM)
$vpanel.top.fourth.row6.go invoke
update
pane report $vo
picture report
$vpanel.top.middle.row66.a1 invoke
$vpanel.top.right.row66.a3 invoke
$vo delete 1.0 end
$vpanel.top.right.row5.ent insert 0 -o3
$vpanel.top.middle.rowA.tb invoke
update
pane table $vo
