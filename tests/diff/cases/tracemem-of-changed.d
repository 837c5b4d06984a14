/* tracemem() of a variable that its length changes: what it is then. */
self char c[13];
char g[13];
BEGIN, diff::: { trace(timestamp); }
diff::: { g[0] = 0; tracemem(g, 4, (g[0] |= 0xff)); }
diff::: { self->c[0] = 0; tracemem(self->c, 4, (self->c[0] |= 0xff)); }
diff::: { self->c[0] = 7; tracemem(self->c + 1, 4, (self->c[1] = 3)); }
diff::: { if (arg0) { tracemem(self->c, 4, self->c[0]--); } }
