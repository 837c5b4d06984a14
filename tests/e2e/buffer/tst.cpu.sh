# Of one CPU only; what is not of any CPU fires there.
for cpu in 0 $(($(nproc --all) - 1)); do
	"$DTRACE" -q -x cpu=$cpu -n '
		BEGIN, END, tick-20ms { @[probename, cpu == $1] = min(1); }
		profile-997 { @["profile", cpu == $1] = min(1); }
		tick-20ms /++n == 5/ { exit(0); }' $cpu | tr -s ' '
done
