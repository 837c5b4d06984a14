/* A translator that uses another, in an inline, in an expression. */
#pragma D option quiet

struct time { int64_t s; int64_t ns; };
struct job { int id; struct time start; };
translator struct time < uint64_t NS > {
	s = NS / 1000000000;
	ns = NS % 1000000000;
};
translator struct job < int I > {
	id = I;
	start = xlate <struct time>((uint64_t)I * 1500000000);
};
inline struct job job[int I] = xlate <struct job>(I);
inline struct job *first = xlate <struct job *>(1);

BEGIN
{
	printf("%d %d\n", job[3].start.s, job[3].start.ns);
	printf("%d %d\n", first->id, first->start.s + job[2].start.s);
	this->t = job[5].start;
	printf("%d %d\n", this->t.s, this->t.ns);
	exit(0);
}
