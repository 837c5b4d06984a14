/* An array without a NUL where the key has room for more. */
struct s { char m[6]; };
self struct s s;
struct s g;
BEGIN, diff::: { trace(timestamp); }
diff:::
{
	self->s.m[0] = self->s.m[1] = self->s.m[2] = 'a';
	self->s.m[3] = self->s.m[4] = self->s.m[5] = 'b';
	g = self->s;
}
diff::: { @[0, stringof(self->s.m)] = count(); @[1, g.m] = count(); @[0, cwd] = count(); }
diff::: { printf("%s %s %s", g.m, stringof(self->s.m), arg0 ? self->s.m : "none"); }
diff::: { @b[(arg0, (string)g.m)] = count(); @b["longer than that"] = count(); }
