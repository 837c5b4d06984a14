/* flags: -q
 * A thread's own associative array. */
self int count[string, int];
BEGIN { self->count["a", 1] = 1; self->count["a", 2] = 2; self->count["b", 1]++; }
BEGIN { self->count["b", 1] += 10; self->implied[7] = "seven"; exit(0); }
END { printf("%d %d %d %d\n", self->count["a", 1], self->count["a", 2],
	self->count["b", 1], self->count["b", 2]); }
END { printf("%s [%s]\n", self->implied[7], self->implied[8]); }
