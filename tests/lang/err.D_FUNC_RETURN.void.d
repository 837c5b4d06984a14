static void f(int a) { return a; }
BEGIN { f(1); }
