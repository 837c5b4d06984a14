# needs: gcc objdump
# The question whether anybody traces a probe is one load and one branch, and the
# probe itself one byte.
"$DTRACE" -h -s "$HERE/prov.d" -o prov.h || exit
[ "$(uname -m)" = x86_64 ] || { echo 'another machine'; exit 77; }
cat >f.c <<'END'
#include "prov.h"
void slow(void);
void f(int x) { if (MYPROV_GO_ENABLED()) slow(); }
void g(void) { MYPROV_GO(); }
END
for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	for way in '' -fPIC -fno-PIE; do
		$cc -O2 -fcf-protection=none -fno-asynchronous-unwind-tables $way -c f.c -o f.o || exit
		# up to the first branch: what has an address in it, what is a branch
		objdump -d --no-show-raw-insn f.o >code
		sed -n '/<f>:/,/j[en]/p' code | grep -c '(%rip)\|^ .*cmpw *\$0x0,0x0$'
		sed -n '/<f>:/,/^$/p' code | grep -c '[[:space:]]j\(e\|ne\)[[:space:]]'
		sed -n '/<g>:/,/^$/p' code | awk 'NR > 1 && NF { print $2 }' | xargs
	done
done | sort | uniq -c | awk '{ $1 = ""; print }'
