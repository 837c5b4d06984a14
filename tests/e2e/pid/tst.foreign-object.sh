# needs: cc
# Libraries of other systems whose functions the C library has, here: scripts name them.
cat >calls.c <<'END'
#include <unistd.h>
int main(void) { for (int i = 0; i < 3; i++) getppid(); return 0; }
END
cc -o calls calls.c
for object in libc.so.1 libc.so.7 libSystem.B.dylib libSystem libsystem_kernel.dylib \
	libsystem_c libpthread.so.1 libthr.so.3 libsocket.so.1; do
	"$DTRACE" -qn 'pid$target:'"$object"':getppid:entry { @["'$object'"] = count(); }' \
		-c ./calls | sed 's/  */ /g'
done | grep .
# The probe is of the library that there is; and patterns mean only such.
"$DTRACE" -qn 'pid$target:libc.so.1:getppid:entry { printf("%s\n", probemod); exit(0); }' -c ./calls
"$DTRACE" -en 'pid$target:libsys*:getppid:entry { }' -c ./calls 2>&1 | grep -o 'executes no object libsys[*]'
# A process that has a library of that name has it.
cat >own.c <<'END'
int getppid(void) { return 7; }
END
cat >main.c <<'END'
int getppid(void);
int main(void) { return getppid() != 7; }
END
cc -shared -fPIC -o libthr.so.9 own.c && cc -o main main.c ./libthr.so.9
"$DTRACE" -qn 'pid$target:libthr*:getppid:entry { @[probemod] = count(); }' -c ./main | sed 's/  */ /g' | grep .
"$DTRACE" -en 'pid$target:libthr.so.3:getppid:entry { }' -c ./main 2>&1 | grep -o 'executes no object libthr.so.3'
# Others are not there.
"$DTRACE" -en 'pid$target:libnosuch.so.1:getppid:entry { }' -c ./calls 2>&1 |
	grep -o 'executes no object libnosuch.so.1'
