# timeout: 120
# needs: gcc readelf
# In each way that programs are built, the probes are there, objects share counters,
# and there is one note of the definitions.
"$DTRACE" -h -s "$HERE/prov.d" -o prov.h || exit
cp "$HERE"/*.c "$HERE"/*.cc "$HERE"/inline.h .

# look FILE: the probes, how many counters, notes of ours.
look() {
	readelf -n "$1" >notes 2>/dev/null
	local names counters ours
	names=$(sed -n 's/^ *Name: //p' notes | sort -u | tr '\n' ' ')
	counters=$(sed -n 's/.*Semaphore: 0x0*//p' notes | sort -u | grep -c .)
	ours=$(readelf -p .note.dtrace "$1" 2>/dev/null | grep -c 'provider myprov{')
	echo "$names$counters $ours"
}
# built WHAT COMMAND...: the command makes the program p, which runs.
built() {
	local what=$1
	shift
	rm -f p
	"$@" -o p >log 2>&1 || { echo "$what: failed"; cat log; return; }
	[ -s log ] && { echo "$what:"; cat log; }
	./p || echo "$what: $?"
	local got
	got=$(look p)
	[ "$got" = "bytes go nil query__done start 5 1" ] || echo "$what: $got"
}
for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	cc="$cc -Wall -Wextra -Werror"
	for o in -O0 -O1 -O2 -O3 -Os; do
		built "$cc $o" $cc $o main.c other.c
	done
	built "$cc PIE" $cc -O2 -fPIE -pie main.c other.c
	built "$cc no PIE" $cc -O2 -fno-PIE -no-pie main.c other.c
	built "$cc LTO" $cc -O2 -flto main.c other.c
	built "$cc static" $cc -O2 -static main.c other.c
	built "$cc C99" $cc -O2 -std=c99 -pedantic main.c other.c
	built "$cc sections" $cc -O2 -ffunction-sections -fdata-sections \
		-Wl,--gc-sections main.c other.c
	built "$cc debug" $cc -O2 -g main.c other.c
	$cc -O2 -c other.c && rm -f lib.a && ar rc lib.a other.o
	built "$cc static library" $cc -O2 main.c lib.a
	# A library has notes, counters and the definitions of its own.
	$cc -O2 -fPIC -shared other.c -o libother.so
	built "$cc shared library" $cc -O2 main.c -L. -lother -Wl,-rpath,"$PWD"
	[ "$(look libother.so)" = "go start 2 1" ] || look libother.so
done
for cc in g++ clang++; do
	command -v $cc >/dev/null || continue
	for o in -O0 -O2 '-O2 -flto' '-O2 -std=c++20 -pedantic'; do
		for source in main.c class.cc; do
			$cc -x c++ -std=c++11 $o -Wall -Wextra -Werror -c $source -o ${source%.*}.o ||
				echo "$cc $o $source"
		done
		built "$cc $o" $cc $o main.o class.o
	done
	$cc -x c++ -std=c++98 -pedantic -Wall -Wextra -Werror -c "$HERE/../../../include/dtrace/sdt.h" \
		-o header.o || echo "$cc -std=c++98"
done 2>&1
echo done
