/* flags: -q
 * A thread-local stays with its thread: BEGIN and END run in the same. */
self int n;
self string s;
BEGIN { printf("%d [%s]\n", self->n, self->s); }
BEGIN { self->n = 3; self->s = "three"; self->more = 9; exit(0); }
END { printf("%d %s %d\n", self->n, self->s, self->more); }
END { self->n = 0; self->s = NULL; printf("%d [%s]\n", self->n, self->s); }
