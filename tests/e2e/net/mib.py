"""mib.py FILE: what makes each counter rise, and by how much they did, in FILE.
Datagrams that find no room, connections that are not accepted at once and are asked
for again, and the probes of ping among them."""
import os
import select
import socket
import sys

from traffic import V4, V6, datagrams, overflow, refused, settle, stream, talk

# Each CPU has a queue of its own for what is looped back: who moves overtakes himself.
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
before = settle()
s, c, d = stream(V4, '127.0.0.1')
talk(c, d)
# More than a device takes at once.
d.settimeout(10)
big = b'x' * 300000
sent = got = 0
c.setblocking(False)
while got < len(big):
    r, w, _ = select.select([d], [c] if sent < len(big) else [], [])
    if w:
        sent += c.send(big[sent:])
    if r:
        got += len(d.recv(1 << 16))
c.close()
d.close()
s.close()
# Of IPv6, in one packet and in fragments, and of a protocol that nobody counts.
u = socket.socket(V6, socket.SOCK_RAW, 253)
for size in 100, 5000:
    u.sendto(b'x' * size, ('::1', 0))
    u.recv(1 << 16)
u.close()
# What is closed while something is unread is reset.
s, c, d = stream(V4, '127.0.0.1')
c.send(b'x')
settle()
d.close()
c.close()
s.close()
refused(V4, '127.0.0.1', 9)
datagrams(V4, '127.0.0.1')
u = socket.socket(V4, socket.SOCK_DGRAM)
u.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
u.bind(('127.0.0.1', 0))
v = socket.socket(V4, socket.SOCK_DGRAM)
for _ in range(50):
    v.sendto(b'x' * 500, u.getsockname())
# To be asked for again.
ends = overflow()
# Echoes.
ping = socket.socket(V4, socket.SOCK_RAW, socket.IPPROTO_ICMP)
for i in range(3):
    ping.sendto(b'\x08\x00' + (0xf7fe - i).to_bytes(2, 'big') + b'\0\1'
                + i.to_bytes(2, 'big'), ('127.0.0.1', 0))
for end in ends:
    end.close()
after = settle()
for counts in before, after:
    counts['InOctets'] = counts['IpExtInOctets'] + counts['Ip6InOctets']
with open(sys.argv[1], 'w') as f:
    for name in after:
        print(name, after[name] - before.get(name, 0), file=f)
