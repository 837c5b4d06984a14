# timeout: 60
# needs: taskset
# A tick whose clauses ask which thread was interrupted is an interrupt: with a
# program counter in one of arg0 and arg1, and somebody's pid.  All of its clauses
# are one firing, in order.
asks() {	# WHAT CLAUSES: they count to 20 in n
	echo "$1"
	"$DTRACE" -q -x cpu=0 -n "int n; $2 tick-2ms /n >= 20/ { exit(0); }" \
		-c "taskset -c 0 $WORKLOAD getppid:1000000000" >out 2>err
	grep . out
	but_for_the_clock <err
}
asks pc 'tick-2ms { n++; one += (arg0 != 0) != (arg1 != 0); } END { printf("%d\n", one == n); }'
asks pid 'tick-2ms /pid == $target/ { n++; }'
asks inline 'inline int mine = execname == "workload"; tick-2ms /mine/ { n++; }'
asks function 'int is_mine(int no) { return tid == $target && no; } tick-2ms { n += is_mine(1); }'
asks translator 'tick-2ms { n += curpsinfo->pr_pid == $target; }'
asks clauses 'tick-2ms { turn = 1; } tick-2ms { turn += arg0 != 0 || arg1 != 0; }
	tick-2ms /turn == 2/ { n++; }'
asks key 'tick-2ms { n++; @[ustack(), stack()] = count(); } END { trunc(@); }'
asks thread-local 'tick-2ms { self->n++; n = self->n; }'
asks cpu 'tick-2ms { n++; @[cpu, pid && 0] = count(); @all = count(); }
	END { printa("%d %d\n", @); trunc(@); trunc(@all); }' | cut -d" " -f 1,2
