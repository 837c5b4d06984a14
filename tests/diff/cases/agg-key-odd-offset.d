/* A string at an odd offset of a key that lies on the stack. */
BEGIN, diff::: { trace(timestamp); }
BEGIN { g2 = (char)0; }
BEGIN { @["", probename, g2, "/usr/lib/x"] = stddev(0); }
diff::: { @b[(char)arg0, execname] = count(); @c["x", execname, (char)1, "abcdefg"] = sum(arg1); }
