dtrace: invalid probe specifier : empty D program
dtrace: description .. matched 0 probes
dtrace: no probes matched
dtrace: no probes matched
