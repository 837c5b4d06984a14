# A call is a slice of its thread, with what both firings printed; what does not
# return is a point; numbers that are printed are curves; an error is a message.
"$DTRACE" -q -O perfetto -n 'syscall::getppid:entry /pid == $target/ { printf("in %d\n", 1); @n["k"] = count(); }
	syscall::getppid:return /pid == $target/ { trace("out"); }
	syscall::exit_group:entry /pid == $target/ { printa(@n); trace("bye"); }
	syscall::exit_group:entry /pid == $target/ { trace(*(int *)8); }' \
	-c "$WORKLOAD getppid:50" >out 2>/dev/null
python3 "$E2E/../support/tracecheck.py" out 'len(of("X")), {e["name"] for e in of("X")},
	[e["args"][k] for e in of("X")[:1] for k in ("entry", "return")]'
python3 "$E2E/../support/tracecheck.py" out '{(e["name"], e["args"]["name"]) for e in of("M")} ==
	{("thread_name", "workload"), ("process_name", "workload")}'
python3 "$E2E/../support/tracecheck.py" out '[e["name"] for e in of("i")],
	[(e["name"], e["args"]["value"]) for e in of("C")]'
"$DTRACE" -q -O perfetto -n 'BEGIN { exit(0); }' >out
python3 "$E2E/../support/tracecheck.py" out 'events'
# A stack in the name of a curve is one line.
"$DTRACE" -q -O perfetto -n 'syscall::getppid:entry /pid == $target/ { @[stack(2), execname] = count(); }
	syscall::exit_group:entry /pid == $target/ { printa(@); }' -c "$WORKLOAD getppid:3" >out 2>/dev/null
python3 "$E2E/../support/tracecheck.py" out '[("\n" in e["name"] or "  " in e["name"],
	e["name"].startswith("@[vmlinux`"), e["name"].count(";") > 0,
	e["name"].endswith(", workload]"), e["args"]["value"]) for e in of("C")]'
