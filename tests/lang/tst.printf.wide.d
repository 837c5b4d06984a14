/* flags: -q
 * A width or precision that is a value, within bounds and out of them: the value
 * is shown without, and that is said for each action. */
BEGIN
{
	n = 1048577;
	this->w = 5;
	printf("[%*d] [%-*s] [%.*s]\n", this->w, 42, -this->w, "abc", 2, "abc");
	printf("[%*d]\n", n, 42);
	printf("[%*s] [%.*d]\n", -n, "abc", n * 4096, 42);
	printf("%d\n", n);
	@[n, 7] = count();
	printa("[%*d] %@d\n", @);
	clear(@); trunc(@);
}
BEGIN { exit(0); }
