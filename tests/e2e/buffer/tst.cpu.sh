# Of one CPU only; what is not of any CPU fires there.
for cpu in $(python3 -c '
import os
cpus = os.sched_getaffinity(0)
print(min(cpus), max(cpus))'); do
	"$DTRACE" -q -x cpu=$cpu -n '
		BEGIN, END, tick-20ms { @[probename, cpu == $1] = min(1); }
		profile-997 { @["profile", cpu == $1] = min(1); ++fired; }
		tick-20ms /fired && ++n > 4/ { exit(0); }' $cpu 2>err | tr -s ' '
	but_for_the_clock <err >&2
done
