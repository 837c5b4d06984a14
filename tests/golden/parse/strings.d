/* Strings side by side are one, whatever stands between them. */
BEGIN
{
	printf("one %d" " two %s" "\n", 1, "x" "" "y");
	@["a" /* and */
	    "b", "c"] = count();
	trace("\101" "1\0" "23");
	"" "";
	"first"
	    "second" third;
	after;
}
