# timeout: 90
# Pages in and out are what /proc/PID/io has as bytes, where there is a disk.
findmnt -no SOURCE -T . | grep -q '^/dev/[^m]' || { echo "no disk here"; exit 77; }
cat >script <<'END'
#pragma D option quiet
int on;
syscall::getpriority:return /pid == $target/ { on = !on; }
vminfo:::pgpgin /pid == $target && on/ { in += arg0 << 12; nin++; }
vminfo:::pgpgout /pid == $target && on/ { out += arg0 << 12; nout++; }
vminfo:::pgin, sysinfo:::bread /pid == $target && on/ { nin -= arg0; nbread++; }
vminfo:::pgout, sysinfo:::bwrite /pid == $target && on/ { nout -= arg0; }
END {
	printf("%d %d\n", in, out);
	/* Each of them is told by three probes, of which two take one away. */
	printf("%d %d\n", nin == -(nbread / 2) && nbread > 0, nout < 0);
}
END
"$DTRACE" -s script -c "python3 $HERE/disk.py" -o seen >counted
head -1 seen | diff - counted && echo same
awk '{ print ($1 >= 320 * 4096), ($2 == 20 * 4096) }' counted
sed -n 2p seen
