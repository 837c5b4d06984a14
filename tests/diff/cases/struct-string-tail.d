/* The bytes behind a string in a struct are zeros, whatever scratch held. */
struct out { int e; string c; };
struct out g;
translator struct out < int v > { e = v; c = lltostr(v); };
BEGIN, diff::: { trace(timestamp); }
diff::: { this->junk = substr(uuidstr(), 14, 1); print(xlate <struct out>((int)arg0)); }
diff::: { this->junk = strjoin(uuidstr(), uuidstr()); g.c = lltostr(arg0); @[g] = count(); }
