BEGIN { trace(strjoin(execname, lltostr(pid, 16))); trace(strlen("abc") > 2 ? substr("abc", 1) : "no"); }
