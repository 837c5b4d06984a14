#pragma D option quiet

/* Types that scripts of other systems name, and no kernel of Linux need have. */
self hrtime_t start;
this boolean_t is_late;
boolean_t seen[int];
struct timespec ts;
struct timeval tv;
timespec_t when[string];
zoneid_t zone;
u_char uc;
time_t now;
socklen_t len;

BEGIN
{
	self->start = timestamp;
	this->is_late = self->start < 0 ? B_TRUE : B_FALSE;
	seen[1] = B_TRUE;
	ts.tv_nsec = 999999999;
	tv.tv_usec = 999999;
	when["x"].tv_sec = 5;
	uc = 257;
	now = walltimestamp / 1000000000;
	printf("%d %d %d\n", this->is_late, seen[1], seen[2]);
	printf("%d %d %d %d\n", ts.tv_nsec, tv.tv_usec, when["x"].tv_sec, uc);
	printf("%d\n", now > 1000000000);
	printf("%d %d %d %d\n", sizeof (u_char), sizeof (u_short),
	    sizeof (u_int), sizeof (u_long));
	printf("%d %d %d %d\n", sizeof (uchar_t), sizeof (ushort_t),
	    sizeof (uint_t), sizeof (ulong_t));
	printf("%d %d %d %d %d\n", sizeof (bool_t), sizeof (boolean_t), sizeof (hrtime_t),
	    sizeof (timespec_t), sizeof (struct timeval));
	printf("%d %d %d %d\n", sizeof (in_addr_t), sizeof (socklen_t),
	    sizeof (off64_t), sizeof (zoneid_t));
	printf("%d %d\n", (hrtime_t)-1 < 0, (u_int)-1 > 0);
	printf("%d %d %d %d %d\n", sizeof (user_addr_t), sizeof (vm_offset_t),
	    sizeof (mach_vm_size_t), sizeof (register_t), sizeof (pthread_t));
	printf("%d %d %d\n", sizeof (caddr32_t), sizeof (size32_t), sizeof (off32_t));
	printf("%d %d %d\n", (register_t)-1 < 0, (user_addr_t)-1 > 0, (ssize32_t)-1 < 0);
	exit(0);
}
