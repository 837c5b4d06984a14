/* flags: -q */
BEGIN
{
	@low["x"] = min(5); @low["x"] = min(4); @low["x"] = min(6);
	@high["x"] = max(-5); @high["x"] = max(-4); @high["x"] = max(-6);
	@avg["x"] = avg(1); @avg["x"] = avg(4);
	@dev["x"] = stddev(2); @dev["x"] = stddev(4);
	exit(0);
}
