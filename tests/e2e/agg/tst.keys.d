/* flags: -q */
BEGIN
{
	@a[1, "one"] = sum(20);
	@a[2, "two"] = sum(10);
	@a[3, "three"] = sum(10);
	@b[(int8_t)1, (int16_t)2, (int32_t)3, (int64_t)4] = count();
	exit(0);
}
