dtrace: script 'main.d' matched 2 probes
dtrace: pid \d+ has exited
