BEGIN { a[pid, execname] = timestamp; a[pid, "x"]++; self->b[tid] = 1; x = self->b[a[1, "y"] ? 1 : 2]; }
