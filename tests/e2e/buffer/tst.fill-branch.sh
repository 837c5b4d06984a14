# timeout: 60
# Wherever a firing records, in a branch, in a loop, in the last of its clauses,
# the one that a full buffer ends leaves nothing behind: what was counted and
# stored is what is shown.  Four threads, on all CPUs.
P='syscall::getppid:entry /pid == $target/'
END='END { printa("%@d fired\n", @); printa("%@d stored\n", @n); }'
try() {
	"$DTRACE" -q -x bufpolicy=fill -x bufsize=$2 -n "$3 $END" \
		-c "$WORKLOAD -t 4 getppid:20000" >out 2>err
	awk -v name="$1" '/fired/ { fired = $1; next } /stored/ { stored = $1; next }
		NF { n++ }
		END {
			if (fired == n && stored == n && n > 50 && n < 80000)
				print name ": exact"
			else
				print name ": " n, fired, stored
		}' out
	cat err
}
try branch 8k "$P { @ = count(); @n = sum(1); if (tid) printf(\"%d\n\", tid); }"
try else 8k "$P { @ = count(); if (!tid) printf(\"no\n\"); else
	{ @n = sum(1); printf(\"%d\n\", tid); } }"
try arm 8k "$P { @ = count(); @n = sum(1); tid ? printf(\"%d\n\", tid) : 1; }"
try sizes 16k "$P { @ = count(); @n = sum(1); if (self->n++ % 3)
	printf(\"%d\n\", tid); else printf(\"%s %s\n\", execname, probefunc); }"
try loop 1m "$P { @ = count(); @n = sum(1);
	for (this->i = 0; this->i < 2; this->i++)
		if (this->i == 1) printf(\"%d\n\", tid); }"
try clauses 8k "$P { @ = count(); } $P { @n = sum(1); printf(\"%d\", tid); }
	$P { if (tid) printf(\"\n\"); }"
try predicates 8k "$P { @ = count(); self->t = tid; }
	syscall::getppid:entry /self->t/ { @n = sum(1); printf(\"%d\n\", self->t); }"
# Little room is left, but who records nothing does not end the tracing.
"$DTRACE" -q -x bufpolicy=fill -x bufsize=4k -n "$P {
	@ = count(); if (++self->n < 80) printf(\"%d\n\", self->n); }
	END { printa(\"%@d fired\n\", @); }" \
	-c "$WORKLOAD getppid:5000" | awk 'NF' | tail -n 2
