# __either(): the first operand that this kernel knows; in libraries only.
mkdir lib
cat >lib/x.d <<'D'
inline int WHO = __either(curthread->nosuch, curthread->tgid, 7);
inline int NONE = __either(curthread->nosuch, ((struct nosuch *)0)->a,
	nosuch[3] + nosuch, 7);
inline int FIRST = __either(1, 2);
typedef struct two { int a, b; } two_t;
translator two_t < struct task_struct *T > {
	a = __either(T->nosuch.member, 5);
	b = __either(T->tgid, 5);
};
inline two_t *two = xlate <two_t *>(curthread);
D
"$DTRACE" -qL lib -n 'BEGIN { trace(WHO - pid); trace(NONE); trace(FIRST);
	trace(two->a); trace(two->b - pid); exit(0); }'
"$DTRACE" -qL lib -n 'BEGIN { trace(__either(1, 2)); }' 2>&1 | sed 1q
printf 'inline int BAD = __either(nosuch, nosuch);\n' >lib/x.d
"$DTRACE" -qL lib -n 'BEGIN { trace(1); }' 2>&1 | sed 1q
printf 'inline int BAD = __either();\n' >lib/x.d
"$DTRACE" -qL lib -n 'BEGIN { trace(1); }' 2>&1 | sed 1q
