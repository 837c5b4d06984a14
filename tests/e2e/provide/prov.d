#pragma D option quiet
/* What a request is, and what is told of it. */
struct req { int id; char *path; };
typedef struct reqinfo { int ri_id; string ri_path; } reqinfo_t;
translator reqinfo_t < struct req *R > {
	ri_id = R->id;
	ri_path = copyinstr((uintptr_t)R->path);	/* not "yet" */
};
provider myprov {
	probe start(struct req *r) : (reqinfo_t *r);
	probe query__done(int, unsigned long, char *s, string t);
	probe go(void);
	probe nil();
	probe bytes(int8_t, uint16_t);
};
#pragma D attributes Evolving/Evolving/Common provider myprov provider
#pragma D attributes Private/Private/Unknown provider myprov module
