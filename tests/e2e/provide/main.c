#include <stdio.h>
#include "inline.h"
int
main(int argc, char **argv)
{
	struct req r = { argc, argv[0] };
	int c, seen = 0;

	start(&r);
	MYPROV_GO();
	MYPROV_NIL();
	MYPROV_BYTES(-1, 70000);
	/* With an argument: until end of file, say when the counter changes. */
	while (argc > 1 && (c = getchar()) != EOF) {
		if (c != '\n' && c != '?')
			MYPROV_QUERY_DONE(c, 1000000000000ul, argv[1], "text");
		if (c == '?') {
			seen = MYPROV_QUERY_DONE_ENABLED() != 0;
			puts(seen ? "on" : "off");
			fflush(stdout);
		}
	}
	return other(&r);
}
