/* Keys by size: those of 1 and 2 bytes are shown unsigned, others with the sign of
 * their type. */
/* flags: -q */
BEGIN
{
	@a[(char)-2, (short)-3, -4, (int64_t)-5, "six"] = count();
	@b[(uint8_t)-2, (uint16_t)-3, (uint32_t)-4, -5ul] = count();
	exit(0);
}
