# By what a process is killed is told, though the kernel carries it out by a
# SIGKILL to each thread; and that one with threads ends by itself is no signal.
cat >k <<'END'
#pragma D option quiet
proc:::signal-send /args[2] != SIGCHLD && args[1]->pr_ppid == $target/
{ @["sent", args[2], 0] = count(); }
proc:::signal-handle /args[0] != SIGCHLD && ppid == $target/
{ @["handled", args[0], args[2] != NULL] = count(); }
proc:::exit /ppid == $target/ { @["ended", args[0], 0] = count(); }
END
cat >work <<'END'
for s in TERM KILL HUP USR1; do sleep 100 & kill -$s $!; wait $!; done 2>/dev/null
python3 -c '
import os, threading
for i in range(4): threading.Thread(target=threading.Event().wait, daemon=True).start()
os._exit(3)'
:
END
"$DTRACE" -s k -c 'bash work' 2>&1 | grep -v '^$' | sed 's/   */  /g' | LC_ALL=C sort
