/* flags: -q */
BEGIN
{
	trace((int8_t)-1);
	trace(" ");
	trace((int16_t)-2);
	trace(" ");
	trace(-3);
	trace(" ");
	trace((int64_t)-4);
	trace(" five");
	exit(0);
}
