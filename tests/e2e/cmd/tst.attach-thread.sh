# A thread is no process; a process that has ended but is still known has ended.
python3 -c '
import os, threading, time
threading.Thread(target=time.sleep, args=(100,)).start()
child = os.fork()
if child == 0:
    os._exit(0)
os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
print(*os.listdir("/proc/self/task"), child, flush=True)' >ids &
disown
until_text ids ' '
read -r process thread zombie <ids
"$DTRACE" -n BEGIN -p $thread 2>&1 | sed "s/$thread/TID/"
"$DTRACE" -qn 'END { printf("ended\n"); }' -p $zombie
kill -KILL $process
