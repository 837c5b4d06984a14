/* The largest, the smallest, or nothing stays. */
/* flags: -q */
BEGIN
{
	@a["one"] = sum(1);
	@a["two"] = sum(2);
	@a["three"] = sum(3);
	@b["one"] = sum(1);
	@b["two"] = sum(2);
	@c["one"] = sum(1);
	trunc(@a, 2);
	trunc(@b, -1);
	trunc(@c);
	exit(0);
}
