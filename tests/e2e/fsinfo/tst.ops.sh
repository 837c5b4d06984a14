# Each operation, on which file, and what came of it.
cat >script <<'END'
#pragma D option quiet
int on;
syscall::getpriority:return /pid == $target/ { on = !on; }
fsinfo::: /pid == $target && on/
{
	printf("%s %s %s %d %s\n", probename, args[0]->fi_pathname,
	    args[0]->fi_name, args[1],
	    args[0]->fi_fs == $$1 ? "here" : args[0]->fi_fs);
}
END
fs=$(findmnt -no FSTYPE -T .)
"$DTRACE" -s script "$fs" -c "python3 $HERE/ops.py" |
	sed -E "s,$PWD/,DIR/,; s,$PWD [^ ]*,DIR,
		/^readdir/s/ [1-9][0-9]* / SOME /
		# How a directory is opened again differs between versions of Python.
		/^(getattr|seek|close) DIR /d" | tee seen
# There is no probe of which this has shown nothing.
"$DTRACE" -ln 'fsinfo:::' | awk 'NR > 1 { print $NF }' | sort >all
cut -d' ' -f1 seen | grep . | sort -u | diff all -
