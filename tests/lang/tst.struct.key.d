/* flags: -q -x strsize=24
 * A struct with a string in it is one key, whatever lay behind the string. */
struct s {
	int n;
	string m;
};
struct s g;

BEGIN
{
	this->text = strjoin("something", " quite long");
	g.n = 1;
	g.m = lltostr(1);
	@["text"] = count();
	@structs[g] = count();
}

BEGIN
{
	g.m = "1";
	@structs[g] = count();
	g.m = "longer than that";
	g.m = strjoin("", "1");
	@structs[g] = count();
	exit(0);
}

END
{
	printa("%@d\n", @structs);
}
