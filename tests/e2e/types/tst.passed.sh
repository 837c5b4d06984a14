# needs: c++
# Where arguments are that C++ passes by reference, and those behind them.
for flags in "-O0" "-O2" "-O1 -gdwarf-4"; do
	c++ -g $flags -o passed "$HERE/passed.cc"
	"$DTRACE" -qn '
	pid$target:a.out:_Z8by_value*:entry {
		printf("%s %d\n", stringof(args[0]->_M_dataplus._M_p), args[1]); }
	pid$target:a.out:_Z6by_ref*:entry {
		printf("%s %d %d %d\n", stringof(args[0]->_M_dataplus._M_p), args[1]->v, args[2], args[3]);
		print(args[2]); }
	pid$target:a.out:_Z4make*:entry { printf("%d %d\n", args[0], args[2]); }
	pid$target:a.out:_Z4pass*:entry { printf("%d\n", args[1]); }
	pid$target:a.out:_Z5mkpod*:entry { printf("%d\n", args[0]); }
	pid$target:a.out:_Z4virt*:entry { printf("%d %d\n", args[0]->n, args[1]); }
	pid$target:a.out:_Z8own_copy*:entry { printf("%d %d\n", args[0]->a, args[1]); }
	pid$target:a.out:_Z8own_kept*:entry { printf("%d %d\n", args[0]->v, args[1]); }
	pid$target:a.out:_Z6shared*:entry { printf("%d %d\n", args[0]->p.a, args[1]); }' -c ./passed
done
