/* The format is what strings side by side make; a mistake in it is marked from the
 * first of them on, and one behind them where it is. */
BEGIN
{
	printf("%" "d" " %s" "\n", 1, "x" "y");
	printf("one " "%d"
	    " two %s" "\n", 1);
	printf("%d" " %"
	    "y\n", 1, 2);
	x = "a"
	    "b" + 1;
}
