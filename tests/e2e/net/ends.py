"""ends.py PID FILE: talk with the namespace of the process; what both count."""
import os
import subprocess
import sys

from traffic import V4, settle
import socket

if len(sys.argv) == 2:
    # The other end.
    s = socket.socket(V4)
    s.bind(('10.9.8.7', 3000))
    s.listen()
    print('ready', flush=True)
    d, _ = s.accept()
    while d.recv(1 << 16):
        d.sendall(b'y')
    d.close()
    sys.exit()

pid, name = sys.argv[1:]


def there():
    text = subprocess.run(['nsenter', '-n', '-t', pid, sys.executable, '-c',
                           'import traffic; print(traffic.settle())'],
                          env={**os.environ, 'PYTHONPATH': sys.path[0]},
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    return eval(text)


before = settle(), there()
child = subprocess.Popen(['nsenter', '-n', '-t', pid, sys.executable, __file__, pid],
                         stdout=subprocess.PIPE, text=True)
child.stdout.readline()
c = socket.create_connection(('10.9.8.7', 3000))
for i in range(1, 6):
    c.sendall(b'x' * 100 * i)
    c.recv(1)
c.shutdown(socket.SHUT_WR)
while c.recv(100):
    pass
child.wait()
c.close()
after = settle(), there()
with open(name, 'w') as f:
    lines = []
    for where, b, a in ('here', before[0], after[0]), ('there', before[1], after[1]):
        for probe, counter in (('ip:::send', 'IpOutRequests'),
                               ('ip:::receive', 'IpInReceives'),
                               ('tcp:::send', 'TcpOutSegs'),
                               ('tcp:::receive', 'TcpInSegs')):
            lines.append(f'{where} {probe} {a[counter] - b[counter]}\n')
    f.writelines(sorted(lines))
