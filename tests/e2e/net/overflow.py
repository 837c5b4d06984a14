"""overflow.py: more connections than a listener takes; prints what the kernel counted."""
import socket
import time

from traffic import counters, settle

before = settle()
s = socket.socket()
s.bind(('127.0.0.1', 2000))
s.listen(1)
ends = []
for i in range(5):
    c = socket.socket()
    c.setblocking(False)
    c.connect_ex(s.getsockname())
    ends.append(c)
# Until the kernel has tried again.
while counters()['TcpRetransSegs'] == before['TcpRetransSegs']:
    time.sleep(0.1)
settle()
after = counters()
for name in 'TcpActiveOpens', 'TcpPassiveOpens', 'TcpExtListenOverflows':
    print(name, after[name] - before[name], flush=True)
