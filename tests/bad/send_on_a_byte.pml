chan q = [1] of { byte };
byte b;

active proctype P()
{
	b!1
}
