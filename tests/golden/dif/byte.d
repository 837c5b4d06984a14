char buf[8]; BEGIN { trace((stringof(buf))[arg0]); trace(execname[arg0]); }
