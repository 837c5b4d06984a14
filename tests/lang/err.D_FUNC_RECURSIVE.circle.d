static int f(int a) { return g(a); }
static int g(int a) { return f(a); }
BEGIN { trace(f(1)); }
