/* flags: -q
 * Strings, and times in the zone of the tests, which is UTC. */
BEGIN
{
	printf("[%s] [%8s] [%-8s] [%.2s] [%8.2s]\n", "text", "text", "text",
	    "text", "text");
	printf("[%.0s] [%*s] [%-*s] [%.*s]\n", "whole", 6, "abc", 6, "abc", 1,
	    "abc");
	printf("[%S] [%s]\n", "tab\there\n", "");
	printf("[%Y]\n", (int64_t)0);
	printf("[%Y]\n", 1600000000000000000);
	printf("[%T]\n", (int64_t)0);
	printf("[%f] [%.2f] [%10.1f] [%e] [%g]\n", 1.5, 1.5, 1.5, 1500.0, 0.5);
	printf("100%% of %s\n", stringof(execname) == execname ? "it" : "");
	exit(0);
}
