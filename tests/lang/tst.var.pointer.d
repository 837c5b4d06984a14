/* flags: -q
 * Pointers point into the kernel, and are NULL at first. */
struct task_struct *p;
BEGIN { printf("%d\n", p == NULL); p = curthread; self->t = curthread; }
BEGIN { printf("%d %d %d\n", p != NULL, p == self->t, p->tgid == pid); }
BEGIN { exit(0); }
END { p = NULL; printf("%d\n", p == 0); }
