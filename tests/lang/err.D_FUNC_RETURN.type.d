static int f(string s) { return s; }
BEGIN { f("x"); }
