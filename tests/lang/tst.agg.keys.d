/* Keys by size: 1 and 2 bytes are shown unsigned. */
/* flags: -q */
BEGIN
{
	@a[(char)-2, (short)-3, -4, (int64_t)-5, "six"] = count();
	exit(0);
}
