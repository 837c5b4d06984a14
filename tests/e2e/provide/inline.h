/* Probes in a static inline function, of which each file has its own. */
#include "prov.h"
struct req { int id; const char *path; };
#ifdef __cplusplus
extern "C"
#endif
int other(struct req *);
static inline void
start(struct req *r)
{
	MYPROV_START(r);
}
