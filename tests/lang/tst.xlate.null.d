#pragma D option quiet

/* A translated pointer may be compared with NULL: what it is made from tells. */
struct out {
	int a;
};

translator struct out < struct task_struct *T > {
	a = T == NULL ? 1 : 2;
};

translator struct out < int i > {
	a = i;
};

inline struct out *of[struct task_struct *T] = xlate <struct out *>(T);

BEGIN
{
	none = (struct task_struct *)0;
	printf("%d %d\n", xlate <struct out *>(curthread) == NULL,
	    xlate <struct out *>(none) == NULL);
	printf("%d %d %d\n", of[none] != 0, NULL != of[curthread], of[none]->a);
	printf("%d %d\n", xlate <struct out *>(0) == NULL, curpsinfo != NULL);
	exit(0);
}
