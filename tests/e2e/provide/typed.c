#include "typed.h"
enum kind { KIND_READ, KIND_WRITE = 4 };
struct job {
	int id;
	short prio;
	const char *name;
	struct job *next;
	enum kind kind;
	struct { int x, y; } pos;
};
int
main(void)
{
	struct job two = { 2, -2, "second", 0, KIND_WRITE, { 20, 21 } };
	struct job one = { 1, -1, "first", &two, KIND_READ, { 10, 11 } };
	int v[] = { 7, 8, 9 };

	JOBS_BEGIN(&one, 5);
	JOBS_BEGIN(&two, -5);
	JOBS_MAP_IT(-3, 1L << 40);
	JOBS_RAW(&one, 255, -1);
	JOBS_SAY("a text", "another", v, KIND_WRITE);
	JOBS_NONE();
	return 0;
}
