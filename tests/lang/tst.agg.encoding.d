/* In UTF-8 bars are made of blocks and eighths of one. */
/* flags: -q -x encoding=utf8 */
BEGIN
{
	@ = quantize(1, 5);
	@ = quantize(2, 2);
	printa(@);
	setopt("encoding", "ascii");
	exit(0);
}
