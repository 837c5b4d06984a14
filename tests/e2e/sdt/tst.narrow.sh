# An argument that is an int has its sign; arg2, which has no type, has its bits.
"$DTRACE" -qn 'sdt:filelock::posix_lock_inode /progenyof($target) && args[2] < 0/
	{ @[args[2], arg2] = count(); }
	END { printa("%d 0x%x %@d\n", @); }' -c "python3 $HERE/locks.py"
