/* An int variable stands in the columns of an int as long as nothing wider was
 * assigned to it, in all of the program; a value that has more digits takes
 * them. */
BEGIN { i = 5; trace(i); i = i * 2; trace(i); i++; trace(i); trace(i + 1); }
BEGIN { w = 0; trace(w); t[1] = 1; trace(t[1]); t[1] = 100000 * 100000; trace(t[1]); }
BEGIN { c = (char)65; trace(c); c = 66; trace(c); c = 1000; trace(c); }
BEGIN { v = 1; trace(v); v = w; trace(v); w = (int64_t)7; z = v + 1; trace(z); }
BEGIN { p = 1; p += w; trace(p); q = 1; q += 2; trace(q); self->d = 0; trace(self->d); }
BEGIN { print(i); print(w); print(t[1]); }
BEGIN { @i[i] = count(); @w[w] = count(); @t[t[1]] = count(); exit(0); }
