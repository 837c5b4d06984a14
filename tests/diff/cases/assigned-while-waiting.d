/* What waits in a variable is not what is stored there meanwhile. */
struct s { int a[3]; char n[4]; };
self struct s s;
struct s t, ts[int];
string st[string];
BEGIN, diff::: { trace(timestamp); }
BEGIN { self->x = "aa"; x = "bb"; st["k"] = "cc"; self->s.n[0] = 'n'; }
diff::: { trace(strstr(self->x, (self->x = ""))); self->x = "aa"; trace(strjoin(self->x, (self->x = "d"))); }
diff::: { trace(strjoin(x, (x = "e"))); trace(strjoin(st["k"], (st["k"] = "f"))); }
diff::: { trace(self->x == (self->x = "g")); trace((self->x = "h") == self->x); }
diff::: { st[(self->x = "i")] = self->x; st[self->x = NULL] = self->x; trace(st["i"]); trace(st[""]); }
diff::: { self->s.a[1] = 5; trace(self->s.a[(self->s.a[1] = 2)]); trace(self->s.a[1]); }
diff::: { ts[(self->s.a[0]++)] = self->s; trace(ts[0]); trace(ts[1]); trace(self->s); }
diff::: { trace(strjoin(arg0 ? self->x : strstr("a", "b"), (self->x = "j"))); }
diff::: { trace(strjoin(self->s.n, (self->s.n[1]++, "k"))); trace(strjoin((self->x = st["f"]), (st["f"] = "l"))); }
diff::: { @[strjoin(self->x, (self->x = "m")), self->x] = count(); }
