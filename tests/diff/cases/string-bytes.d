/* Bytes of strings, read and written, inside and behind what is there. */
string names[2];
struct s { int i; string text; } st;
self string mine;
BEGIN, diff:mod:func:a
{
	g = "global";
	trace(g[0]); trace(g[5]); trace(g[6]); trace(g[31]);
	trace(probename[0]);
	trace("literal"[arg0 & 7]);
	trace(strjoin(g, "ly")[arg0 & 7]);
}
diff:mod:func:a { this->i = arg0; trace(g[this->i]); }
diff:mod:func:a
{
	this->s = "abc";
	this->s[3] = 'd';
	this->s[5] = 'f';
	trace(this->s); trace(this->s[5]);
	this->s[4] = 'e';
	trace(this->s);
	this->s = "x";
	trace(this->s[1]); trace(this->s[2]); trace(this->s);
	this->s[arg0] = 'y';
	trace(this->s); trace(this->s[0]++); trace(this->s);
}
diff:mod:func:a
{
	w = "whole";
	w[0] = 'W';
	w[5] -= 200;
	trace(w); trace(w[5]);
	w = NULL;
	trace(w); trace(w[0]); trace(w[3]);
	w[arg0 & 63] = 1;
	trace(w == "");
}
diff:mod:func:a
{
	self->mine = "self";
	self->mine[3] = 'p';
	self->mine[5] = '!';
	trace(self->mine); trace(self->mine[5]);
	self->mine = NULL;
	trace(self->mine);
	self->mine[1] = 'a';
	self->mine[0] = 'b';
	trace(self->mine);
	self->mine = 0;
	t["k"] = "table";
	t["k"][arg0 & 3] = 'T';
	trace(t["k"]);
	t["k"] = NULL;
	trace(t["k"]);
}
diff:mod:func:a
{
	names[1] = "one";
	names[1][0] = 'O';
	names[0][0] = 'Z';
	st.text = "member";
	st.text[arg0 & 3] = 'M';
	trace(names[0]); trace(names[1]); trace(st.text); trace(st.text[9]);
	names[1] = "a";
	trace(names[1][2]);
}
ERROR { trace(arg3); trace(arg4); trace(arg5); }
