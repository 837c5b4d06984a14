BEGIN /pid == 1234 && execname != "bash"/ { trace(timestamp); }
