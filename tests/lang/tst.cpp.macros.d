#!/usr/sbin/dtrace -Cs
/* flags: -q -C -D COUNT=3 -D GONE -U GONE */
#define SHOW(e) printf("%s is %d\n", #e, e)

#ifdef GONE
#error it was undefined
#endif

BEGIN
{
	for (int i = 0; i < COUNT; i++)
		SHOW(i);
	SHOW(__SUNW_D);
	SHOW((__SUNW_D_VERSION >> 24));
	SHOW(__LINE__);
	printf("%s\n", __FILE__);
#if defined(__linux) && defined(__unix)
	printf("linux\n");
#endif
	exit(0);
}
