# timeout: 90
# What a shell does so many times is seen so many times.
cat >forks <<'END'
for i in {1..200}; do ( : ); done
trap : USR1
for i in {1..100}; do kill -USR1 $$; done
END
"$DTRACE" -q -c "bash forks" -n '
	sdt:sched::sched_process_fork /args[0]->pid == $target/
	{ @["forks"] = count(); }
	sdt:sched::sched_process_exit
	/args[0]->real_parent->pid == $target && args[0]->tgid == args[0]->pid/
	{ @["children that ended"] = count(); }
	sdt:signal::signal_generate /args[0] == 10 && args[2]->pid == $target/
	{ @["signals"] = count(); }
	sdt:signal::signal_deliver /pid == $target && arg0 == 10/
	{ @["signals that came"] = count(); }
	END { printa("%s: %@d\n", @); }' | sort
