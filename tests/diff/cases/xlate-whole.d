/* Structs that translators make: strings cut, arrays filled, bits, zeros. */
#pragma D option strsize=32
struct in { char n[4]; int i; };
struct out { char c; int none; char d[5]; string s; int e:7; int f:9; struct in in; long z; };
translator struct in < long L > { i = L; n = "abcdefgh"; };
translator struct out < int v > { d = lltostr(v * 1000); s = execname; c = v; e = v; f = v * 3; in = xlate <struct in>((long)v); z = -v; };
struct out g;
self struct out t;
struct out a[int];
BEGIN, diff::: { trace(timestamp); }
diff::: { g = xlate <struct out>((int)arg0); trace(g); trace(g.in.n); trace(g.s); }
diff::: { self->t = *xlate <struct out *>((int)arg1); trace(self->t.e + self->t.f); trace(self->t); }
diff::: { a[1] = xlate <struct out>(7); trace(a[1].in); trace(a[1].s); this->w = a[1]; trace(this->w.d); }
