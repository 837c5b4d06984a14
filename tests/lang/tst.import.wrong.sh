# What is wrong with an import or a namespace.
mkdir lib
try() {
	printf '%s\n' "$1" >x.d
	"$DTRACE" -x errtags -q -x syslibdir=lib -s x.d 2>err && echo accepted
	cat err
}
try 'import "nosuch"; BEGIN { exit(0); }'
printf 'namespace a { inline int B = ; }\n' >lib/a.d
try 'import "a"; BEGIN { trace(a.B); }'
printf '#pragma D depends_on provider nosuch\n' >lib/a.d
try 'import "a"; BEGIN { exit(0); }'
printf 'import "b"; inline int A = 1;\n' >lib/a.d
printf 'import "a"; inline int B = A;\n' >lib/b.d
try 'import "a"; BEGIN { trace(B); }'
try 'import nosuch; BEGIN { exit(0); }'
try 'namespace a { inline int ONE = 1; } BEGIN { trace(ONE); }'
try 'namespace a { inline int ONE = 1; } BEGIN { trace(a.TWO); }'
try 'namespace a { inline int ONE = 1;  BEGIN { exit(0); }'
try 'namespace a`b { inline int ONE = 1; } BEGIN { exit(0); }'
try 'namespace a { inline int A = 1; inline int f[int A] = A; } BEGIN {}'
