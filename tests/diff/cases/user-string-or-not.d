/* One arm lies in user memory, the other does not. */
struct datum gd;
BEGIN, diff::: { trace(timestamp); }
diff::: { trace(arg0 ? ((string)((userland struct datum *)arg6)->name) : ""); }
diff::: { this->s = arg0 ? "none" : stringof((userland char *)arg5); trace(this->s); }
diff:::a { trace(strlen(args[2])); trace(args[3]->name == "datum"); g[args[3]->name] = 1; trace(g["datum"]); }
diff:::a { trace(arg9 ? gd : *args[3]); trace(arg0 ? *args[3] : gd); gd = arg0 ? gd : *args[3]; }
