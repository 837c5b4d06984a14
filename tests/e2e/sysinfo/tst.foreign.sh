# Counters that Linux does not keep: a script that names them beside others runs, and is told
# once of all.
"$DTRACE" -qn '
	vminfo:::zfod { z++; }
	vminfo:::execpgin, sysinfo:::trap, vminfo:::zfod { n++; }
	vminfo:::as_fault /pid == $target/ { faults++; }
	syscall::exec:entry { }
	END { printf("%d %d %d\n", faults > 0, z, n); }' -c true 2>&1

# A clause of theirs compiles, with the arguments that those probes have elsewhere.
"$DTRACE" -qn '
	sched:::schedctl-yield { @[args[0]->pr_lwpid, args[1]->pr_fname] = count(); y = 1; }
	fsinfo:::addmap { trace(args[0]->fi_pathname); }
	BEGIN { printf("%d\n", y); exit(0); }' 2>&1
"$DTRACE" -en 'BEGIN { } sched:::schedctl-yield { trace(args[2]); }' 2>&1 | sed 1q
# What no probe is known for is told of once.
"$DTRACE" -en 'vminfo:::nosuch { trace(args[0]); }' 2>&1 | grep -v '^ '

# Alone they are an error; a misspelt one has what is near, and no guess from elsewhere.
for probe in vminfo:::zfod vminfo:::execp* sysinfo:::trap mib:::tcpListenDrop \
	vminfo:::as_fualt vminfo:ext4::zfod sysinfo:::cpu_ticks_user fsinfo:::lookup \
	mib:::ipIfStatsHCInReceives; do
	"$DTRACE" -n "$probe" 2>&1 | sed -n '1p; /^hint/p'
done
# Providers of other systems, too, whatever their names end with.
for probe in nfsv3:::op-read-start 'iscsi*:::data-send' fc:::link-up fpuinfo:::fpu_sim_fadds \
	mac_framework:::mac_vnode_check_open vfs::vop_read:entry nosuch*:::start proc:::begin; do
	"$DTRACE" -n "$probe" 2>&1 | sed -n '1p; /^hint/p'
done
