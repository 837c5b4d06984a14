# Whatever their names, a library is compiled after those it depends on; one
# whose provider or module is missing is not there, and says nothing.  One that
# depends on a library that is not there is wrong.
mkdir lib
cat >lib/a.d <<'D'
#pragma D depends_on library z.d
inline int A = Z + 1;
D
cat >lib/z.d <<'D'
#pragma D depends_on provider syscall
#pragma D depends_on module vmlinux
int order;
inline int Z = 1;
D
cat >lib/b.d <<'D'
#pragma D depends_on provider nosuch
inline int B = this is not D;
D
cat >lib/c.d <<'D'
#pragma D depends_on module no_such_module
inline int B = 3;
D
cat >lib/e.d <<'D'
#pragma D depends_on library b.d
inline int B = 5;
D
"$DTRACE" -qL lib -n 'BEGIN { trace(A); exit(0); }'
"$DTRACE" -qL lib -n 'BEGIN { trace(B); exit(0); }' 2>err && exit 1
sed 1q err
mkdir wrong
cat >wrong/d.d <<'D'
#pragma D depends_on library nosuch
inline int B = 4;
D
"$DTRACE" -qx errtags -L wrong -n 'BEGIN { exit(0); }' 2>err && exit 1
sed 1q err
