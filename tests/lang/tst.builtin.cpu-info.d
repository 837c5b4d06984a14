#pragma D option quiet

/* The CPU that fires is on line. */
BEGIN
{
	printf("%d %d %d\n", curcpu->cpu_info.pi_state == P_ONLINE,
	    curcpu->cpu_info.pi_clock >= 0,
	    curcpu->cpu_info.pi_processor_type == "x86_64");
	exit(0);
}
