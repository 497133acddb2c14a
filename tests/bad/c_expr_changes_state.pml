c_decl { int n; }

active proctype P()
{
	c_expr { n++ }
}
