# needs: gfortran
# Functions in modules, with arguments that are passed by reference though they are
# written as values; whatever the compiler makes of them.
for how in -O0 "-O2 -fno-inline -fno-ipa-sra -fno-ipa-cp"; do
	# shellcheck disable=SC2086
	gfortran -g $how -o passed "$HERE/passed.f90" || exit
	"$DTRACE" -q -n '
		pid$target:a.out:__passed_MOD_plain:entry
		{ printf("plain %d %d %g\n", *args[0], args[2]->x, args[2]->y); }
		pid$target:a.out:__passed_MOD_valued:entry
		{ printf("valued %d %d\n", args[0], *args[1]); }' -c ./passed |
		grep -v '^ \|^$'
done
"$DTRACE" -lvn 'pid$target:a.out:__passed_MOD_[pv]*:entry' -c ./passed | grep -o 'args.*'
