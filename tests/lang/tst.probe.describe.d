/* flags: -q
 * A description names from the right; what is empty or a pattern matches more. */
BEGIN { printf("name\n"); }
dtrace:::BEGIN { printf("provider and name\n"); }
:::BEGIN { printf("empty fields\n"); }
::BEGIN { printf("two colons\n"); }
dt*:::B?GIN { printf("globs\n"); }
dtrace:::[AB]E[!H-Z]IN { printf("sets\n"); }
d[a-z]race*:::BEG\IN { printf("ranges, quoted\n"); }
1 { printf("by number\n"); }
BEGIN, dtrace:::BEGIN { printf("twice\n"); }
END, dtrace:::BEGIN* { printf("%s\n", probename); }
BEGIN
{
	exit(0);
}
