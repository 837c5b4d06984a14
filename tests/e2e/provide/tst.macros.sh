# needs: gcc readelf
# <dtrace/sdt.h> alone: arguments of all types, and those that are refused.
inc=-I$HERE/../../../include
cat >a.c <<'END'
#include <dtrace/sdt.h>
enum e { A = -1, B };
enum u { C, D };
int counter = 7;
int main(int argc, char **argv)
{
	enum e e = argc > 100 ? A : B;
	enum u u = argc > 100 ? C : D;
	char arr[4] = "abc";
	_Bool b = argc == 1;
	volatile short v = 3;
	const unsigned char c = 200;
	DTRACE_PROBE(linux, none);
	DTRACE_PROBE1(linux, one, -5L);
	DTRACE_PROBE2(linux, two, e, u);
	DTRACE_PROBE3(linux, three, arr, "lit", main);
	DTRACE_PROBE4(linux, four, b, v, c, counter++);
	DTRACE_PROBE12(linux, twelve, argv[0][0], 2*argc, 3*argc, argc+1, argc+2, argc+3,
		argc+4, argc+5, argc+6, argc+7, argc+8, (unsigned long)argv);
	if (DTRACE_PROBE_ENABLED(linux, three))
		DTRACE_PROBE5(linux, five, 1, 2, 3, 4, 5);
	return counter != 8;
}
END
sizes() {
	readelf -n "$1" 2>/dev/null | sed -n 's/^ *Provider: //p; s/^ *Name: //p; s/^ *Arguments: //p' |
		sed 's/@[^ ]*//g' | xargs -n 30
}
for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	for o in -O0 -O2 '-O2 -flto' '-O2 -fPIC -shared'; do
		$cc $o -Wall -Wextra -Werror $inc a.c -o a || continue
		sizes a
		case $o in *shared*) ;; *) ./a || echo "$?" ;; esac
	done
done | sort | uniq -c | awk '{ $1 = ""; print }'
for cc in 'gcc -x c' 'g++ -x c++' 'clang -x c' 'clang++ -x c++'; do
	command -v ${cc%% *} >/dev/null || continue
	for what in 1.5 'struct_s' '1.5f'; do
		printf '#include <dtrace/sdt.h>\nstruct s { int x; } struct_s;
		void f(void) { DTRACE_PROBE1(p, n, %s); }\n' "$what" |
		$cc $inc -c -o x.o - 2>&1 | grep -m1 -o 'an argument of a probe is an integer, an enum or a pointer\|argument_is_integer_enum_or_pointer' || echo "$cc takes $what"
	done
done | sort -u
