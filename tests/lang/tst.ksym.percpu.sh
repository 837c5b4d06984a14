# What each CPU has its own of is that of the CPU on which the probe fires.
if ! grep -qw __per_cpu_offset /proc/kallsyms; then
	echo "this kernel does not name its variables"; exit 77
fi
"$DTRACE" -qn 'tick-1ms, profile-101 { n++; wrong += `runqueues.cpu != cpu;
	self->p = &`runqueues; wrong += self->p->cpu != cpu; self->p = 0; }
	profile-101 /`runqueues.curr != curthread/ { wrong++; }
	tick-1ms /n >= 50/ { printf("%d wrong\n", wrong); exit(0); }'
"$DTRACE" -qn 'BEGIN { `runqueues.cpu = 1; }' 2>&1 | sed 's/.*: operator/operator/;1q'
