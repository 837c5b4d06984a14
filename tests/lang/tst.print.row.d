/* Behind the row's prefix; the row's own newline follows. */
BEGIN
{
	print(1);
	print("two");
	exit(0);
}
