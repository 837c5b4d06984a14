/* flags: -q */
tick-10ms
{
	n++;
}

tick-10ms
/n == 5/
{
	printf("%d\n", n);
	exit(0);
}
