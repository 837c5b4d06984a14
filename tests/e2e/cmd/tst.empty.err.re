dtrace: invalid probe specifier : empty D program
dtrace: description .. matched 0 probes
dtrace: pid \d+ has exited
