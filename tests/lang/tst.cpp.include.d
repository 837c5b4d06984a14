/* flags: -q -C */
#include "cpp.h"

BEGIN
{
	printf("%d %d %d\n", ANSWER, SQUARE(ANSWER), quotient(ANSWER, 5));
	exit(0);
}
