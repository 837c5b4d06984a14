/* Actions that are chosen within an expression are statements of an if. */
BEGIN
{
	pid ? trace(1) : trace(2);
	pid && trace(3);
	pid || trace(4);
	pid ? (trace(5), trace(6)) : trace(7);
	pid ? (x = 1) : trace(8);
	pid ? ppid ? trace(9) : trace(10) : trace(11);
	pid && ppid && trace(12);
	pid ? 1 : 2;
}
