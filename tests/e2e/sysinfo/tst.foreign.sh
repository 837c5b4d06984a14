# Counters that Linux does not keep: a script that names them beside others runs, and is told
# once of all.
"$DTRACE" -qn '
	vminfo:::zfod { z++; }
	vminfo:::execpgin, sysinfo:::trap, vminfo:::zfod { n++; }
	vminfo:::as_fault /pid == $target/ { faults++; }
	syscall::exec:entry { }
	END { printf("%d %d %d\n", faults > 0, z, n); }' -c true 2>&1

# Alone they are an error; a misspelt one has what is near, and no guess from elsewhere.
for probe in vminfo:::zfod vminfo:::execp* sysinfo:::trap mib:::tcpListenDrop \
	vminfo:::as_fualt vminfo:ext4::zfod; do
	"$DTRACE" -n $probe 2>&1 | sed -n '1p; /^hint/p'
done
# Providers of other systems, too, whatever their names end with.
for probe in nfsv3:::op-read-start nosuch*:::start proc:::begin; do
	"$DTRACE" -n $probe 2>&1 | sed -n '1p; /^hint/p'
done
