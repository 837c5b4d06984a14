/* One arm lies in user memory, the other does not. */
BEGIN, diff::: { trace(timestamp); }
diff::: { trace(arg0 ? ((string)((userland struct datum *)arg6)->name) : ""); }
diff::: { this->s = arg0 ? "none" : stringof((userland char *)arg5); trace(this->s); }
diff:::a { trace(strlen(args[2])); trace(args[3]->name == "datum"); g[args[3]->name] = 1; trace(g["datum"]); }
