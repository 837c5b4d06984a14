# timeout: 60
# The terminal that the trace runs on is closed: it ends, and with -o what was
# recorded is in the file.  One that was told to ignore that (nohup) goes on.
cat >on_terminal.py <<'EOF'
"""on_terminal.py READY COMMAND...: run COMMAND on a terminal of its own, and
close that when the file READY has text; print COMMAND's pid and wait."""
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
print(pid, flush=True)
while not os.path.exists(sys.argv[1]) or not os.path.getsize(sys.argv[1]):
    time.sleep(0.01)
os.close(terminal)
if 'nohup' not in sys.argv:
    print('status', os.waitpid(pid, 0)[1])
EOF
cat >d <<'EOF'
#pragma D option quiet
#pragma D option switchrate=100hz
syscall::nanosleep:entry /pid == $target/ { printf("child %d\n", pid); @ = count(); }
END { printf("ended\n"); }
EOF
bpf_before
python3 on_terminal.py file "$DTRACE" -o file -s d -c "$WORKLOAD sleep:1000:20000" |
	sed 1d
gone "$(awk '/child/ { print $2; exit }' file)"
awk '/child/ { n++ } /ended/ { print } $1 == n { print "all" }' file
# On the terminal itself: there is nowhere to print it.
python3 on_terminal.py ready "$DTRACE" -w -s d -n 'BEGIN { system("echo >ready"); }' \
	-c "$WORKLOAD sleep:1000:20000" >out 2>&1
gone "$(head -n 1 out)"
bpf_after
rm -f file
python3 on_terminal.py file nohup "$DTRACE" -o file -s d -c "$WORKLOAD sleep:20:50000" >out
gone "$(cat out)"
awk '/child/ { n++ } /ended/ { print } $1 == n { print "all", n }' file
