/* A queue's jobs. */
enum kind { KIND_READ, KIND_WRITE = 4 };
struct job { int id; short prio; char *name; struct job *next; enum kind kind; struct { int x, y; } pos; };
typedef struct jobinfo {
	int j_id;
	string j_name;
	int j_next;
	uint64_t j_addr;
} jobinfo_t;
translator jobinfo_t < struct job *J > {
	j_id = J->id;
	j_name = copyinstr((uintptr_t)J->name);
	j_next = J->next ? *(int *)copyin((uintptr_t)&J->next->id, sizeof(int)) : -1;
	j_addr = (uintptr_t)J;
};
provider jobs {
	probe begin(struct job *j, int n) : (jobinfo_t *j, struct job *j, int n);
	probe map__it(int a, long b) : (long b, int a, int a);
	probe raw(struct job *, unsigned char, int8_t);
	probe say(string s, char *t, int v[], enum kind k);
	probe none(void);
};
#pragma D attributes Evolving/Evolving/Common provider jobs args
#pragma D attributes Stable/Stable/ISA provider jobs name
