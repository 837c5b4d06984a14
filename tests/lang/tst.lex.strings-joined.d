/* flags: -q -C */
/* As in C, strings side by side are one, as macros make them. */
#include <inttypes.h>
#define	NAME	"world"

inline string where = "in " "line";

BEGIN
{
	printf("%" PRId64 " %" PRIx32 "%%\n", -7, 255);
	printf("hello, " NAME "!\n");
	printf("%s|%d|%s\n", "a" "" "b", strlen("ab" /* and */ "cd"
	    "e"), where);
	printf("%d %s\n", strlen("\x4" "1"), "\x41" "B");
	n["a" "b"] = 3;
	printf("%d %d\n", n["ab"], "x" "y" == "xy");
	@["k" "ey"] = sum(4);
	printa("%s " "%@d" "\n", @);
	exit(0);
}
