/* Memory of the process: what a pointer to userland points at. */
/* flags: -q -c "sleep 0.0078125" */
struct duration { long seconds, ns; };

syscall::clock_nanosleep:entry
/pid == $target/
{
	print(*(userland struct duration *)arg2);
	print(((userland struct duration *)arg2)->ns);
	print((userland struct duration *)0);
}
