#pragma D depends_on module vmlinux
#pragma D binding "1.0" translator

typedef struct info {
	int i_pid;
	string i_name;
} info_t;

#pragma D binding "1.0" translator
translator info_t < struct task_struct *T > {
	i_pid = T->tgid;
	i_name = stringof(T->comm);
};

inline info_t *curinfo = xlate <info_t *> (curthread);
#pragma D attributes Stable/Stable/Common curinfo

inline string files[int fd] = fd >= 0 && fd < 3 ? "std" : "<none>";

provider app {
	probe start();
	probe query__done(char *sql, int rows) : (string sql, int rows);
	probe typed(struct task_struct *t, int) : (info_t *t);
};
#pragma D attributes Evolving/Evolving/Common provider app provider

BEGIN { xlate <info_t> (curthread).i_pid; files[0]; curinfo->i_name }
