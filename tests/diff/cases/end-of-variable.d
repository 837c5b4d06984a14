/* Behind the only variable nothing can be stored. */
struct s { int a[4]; };
struct s g;
BEGIN, diff::: { trace(timestamp); }
diff::: { g.a[3] = arg0; trace(g.a[3]); }
diff::: { *(g.a + 4) = 1; trace(2); }
diff::: { *(g.a + 5) = 1; trace(3); }
ERROR { trace(arg4); }
