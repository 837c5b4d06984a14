# Several commands: the first is $target, and all have to end.
"$DTRACE" -q -c 'sleep 0.1' -c 'sh -c "sleep 0.4; echo second"' -c 'echo third' -n '
syscall::exit_group:entry
/pid == $target/
{
	printf("first ends\n");
}

syscall::exit_group:entry
/ppid == $pid/
{
	@ends = count();
}

END
{
	printa("%@d have ended\n", @ends);
}' > out
sort out
