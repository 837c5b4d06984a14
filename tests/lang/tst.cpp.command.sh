# Programs of the command line go through cpp, too; places are those of their text.
"$DTRACE" -qC -D 'TWICE(x)=((x) * 2)' -U __linux -n 'BEGIN {
#ifdef __linux
	trace("linux ");
#endif
	printf("%d %d %x\n", TWICE($1), __SUNW_D, __SUNW_D_VERSION >> 24);
	exit(0);
}' 21
echo '#define NAME BEGIN' > name.h
"$DTRACE" -qC -n '#include "name.h"
	NAME { trace("included"); exit(0); }'
"$DTRACE" -C -D NAME=BEGIN -ln NAME
"$DTRACE" -C -n 'BEGIN { trace(nothing); }' 2>&1 | head -n 3
"$DTRACE" -C -n 'BEGIN {
	trace(nothing); }' 2>&1 | head -n 3
"$DTRACE" -C -n '#error no' 2>&1 | grep dtrace:
"$DTRACE" -D X=1 -n '#if X
BEGIN { }
#endif' 2>&1 | grep hint
