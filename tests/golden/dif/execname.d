BEGIN { trace(execname); }
