/* Variables that keep more than their type has, and what is added to: of every
 * scope, in keys, arms of ?: and arguments of functions. */
int declared; uint32_t u; int narrow[int];
int half(int v) { return v / 2; }
int64_t twice(int64_t v) { return v * 2; }
BEGIN, diff:mod:func:a
{
	x = 1; self->y = (short)2; this->z = (char)3; t[1] = 4; self->t["k"] = 5;
	x <<= 33; x += arg0; self->y = x * 3; this->z = -x; t[1] = x * x;
	self->t["k"] = t[1] ^ self->y;
	trace(x); trace(self->y); trace(this->z); trace(t[1]); trace(self->t["k"]);
	declared = x; u = x; narrow[1] = x;
	trace(declared); trace(u); trace(narrow[1]); trace((short)x);
}
diff:mod:func:a
{
	trace(half(x)); trace(twice(x)); trace(x > 0 ? x : self->y);
	trace(arg0 ? declared : x); trace(x == (int)x); trace(u + x); trace(x / 7);
	b = (uint8_t)200; b += 100; trace(b); b = -1; trace(b); trace(b + 0L);
	t[x] = 9; trace(t[x]); trace(t[(int)x]);
	@[x, self->y, b] = sum(x * 2); @low[declared, u] = max(u);
}
diff:mod:func:a
{
	n++; n += arg0; n--; declared++; declared -= 5; u += 3; u--;
	up[arg0]++; up[arg0] += x; both[arg0]++; both[arg0] = both[arg0] + 1;
	both[arg0] += x; narrow[1] += x; narrow[1]++; down[1]++; down[1]--;
	trace(n); trace(declared); trace(u); trace(up[arg0]); trace(both[arg0]);
	trace(narrow[1]); trace(down[1]);
	n += n++; trace(n);
}
