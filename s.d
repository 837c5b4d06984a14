#pragma D option strsize=5000g
BEGIN { trace(execname); exit(0); }
