# Threads get a CPU as often as they leave one, also the first time.
# needs: python3
"$DTRACE" -qn 'sched:::on-cpu /pid == $target && tid != pid/ { @["more often"] = sum(1); }
	sched:::off-cpu /pid == $target && tid != pid/ { @["more often"] = sum(-1); }
	END { printa("%s %@d\n", @); }' -c "python3 $HERE/threads.py"
