static int f(int a) { return; }
BEGIN { f(1); }
