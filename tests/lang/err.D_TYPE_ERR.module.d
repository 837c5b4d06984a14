/* No such type in that module. */
struct vmlinux`no_such_struct *p;
