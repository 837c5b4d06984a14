/* flags: -q
 * As keys, all addresses of one function are one, and so are all of one
 * module. */
BEGIN { @f[sym(caller)] = count(); @m[mod(caller)] = count(); }
BEGIN { @f[sym(caller + 1)] = count(); @m[mod(caller + 1)] = count(); }
BEGIN
{
	@f[func(3)] = count();
	printa("%a %@d\n", @f);
	exit(0);
}
