test:::args { trace(args[3]->at.y); trace(args[4]->bytes[args[0]]); trace(*args[2]); trace(`counter); p = &args[3]->i; p++; printf("%s", args[3]->name); }
