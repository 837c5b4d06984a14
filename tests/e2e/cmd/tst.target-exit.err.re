dtrace: description 'BEGIN ' matched 1 probe
dtrace: pid \d+ has exited
dtrace: description 'BEGIN ' matched 1 probe
dtrace: pid \d+ exited with status 3
dtrace: description 'BEGIN ' matched 1 probe
dtrace: pid \d+ terminated by SIGUSR1
