#include "inline.h"
int
other(struct req *r)
{
	start(r);
	if (MYPROV_START_ENABLED())
		MYPROV_GO();
	return MYPROV_QUERY_DONE_ENABLED();
}
