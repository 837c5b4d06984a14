"""traffic.py [WHAT...]: packets of each kind in a network namespace of its own, and
what the namespace says of them.

    capture FILE   what a packet socket sees, as lines that the D script prints too
    counters FILE  how much the counters of /proc/net rose"""
import ipaddress
import os
import select
import socket
import struct
import sys
import time

V4, V6 = socket.AF_INET, socket.AF_INET6


def counters():
    ret = {}
    for name in ('snmp', 'netstat'):
        lines = open('/proc/net/' + name).read().split('\n')
        for names, values in zip(lines[::2], lines[1::2]):
            group = names.split(':')[0]
            for n, v in zip(names.split()[1:], values.split()[1:]):
                ret[group + n] = int(v)
    for line in open('/proc/net/snmp6'):
        name, value = line.split()
        ret[name] = int(value)
    return ret


def settle():
    """Until no packet has been counted for a while."""
    last = None
    while True:
        now = counters()
        if last is not None and last == now:
            return now
        last = now
        time.sleep(0.3)


class Capture:
    def __init__(self, name):
        self.s = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM,
                               socket.htons(3))
        self.s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
        self.name = name

    def lines(self):
        while select.select([self.s], [], [], 0)[0]:
            data, (_, proto, kind, *_) = self.s.recvfrom(1 << 17)
            yield from describe('send' if kind == 4 else 'receive', proto, data)

    def write(self):
        with open(self.name, 'w') as f:
            f.writelines(line + '\n' for line in self.lines())


def describe(way, proto, d):
    first = True
    if proto == 0x800:
        at = 4 * (d[0] & 15)
        src, dst = (ipaddress.ip_address(d[12:16]), ipaddress.ip_address(d[16:20]))
        kind = d[9]
        first = not struct.unpack_from('>H', d, 6)[0] & 0x1fff
        tos, total, ident, frag, ttl = struct.unpack_from('>xBHHHB', d)
        own = f'{tos} {total} {ident} {frag >> 13} {frag & 0x1fff} {ttl} {kind}'
    elif proto == 0x86dd:
        at, kind = 40, d[6]
        src, dst = (ipaddress.ip_address(d[8:24]), ipaddress.ip_address(d[24:40]))
        word, plen, _, hlim = struct.unpack_from('>IHBB', d)
        own = f'{word >> 20 & 255} {word & 0xfffff} {plen} {kind} {hlim}'
    else:
        return
    yield f'ip {way} {src} {dst} {len(d) - at} {own}'
    if kind == 44:
        kind, frag = d[40], struct.unpack_from('>H', d, 42)[0]
        first = not frag & 0xfff8
        at += 8
    if not first:
        return
    if kind == 6:
        sport, dport, seq, ack, off, flags, win, _, urg = \
            struct.unpack_from('>HHIIBBHHH', d, at)
        yield (f'tcp {way} {src} {sport} {dst} {dport} {seq} {ack} '
               f'{4 * (off >> 4)} {flags} {win} {urg}')
    elif kind == 17:
        sport, dport, length = struct.unpack_from('>HHH', d, at)
        yield f'udp {way} {src} {sport} {dst} {dport} {length}'


def stream(family, address, port=0, source=None):
    """A listener, the two ends of a connection to it."""
    s = socket.socket(family)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind((address, port))
    s.listen()
    c = socket.socket(family)
    if source:
        c.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        c.bind((address, source))
    c.connect(s.getsockname())
    return s, c, s.accept()[0]


def talk(c, d, rounds=5):
    for i in range(1, rounds + 1):
        c.sendall(b'x' * 100 * i)
        left = 100 * i
        while left:
            left -= len(d.recv(left))
        d.sendall(b'y')
        c.recv(1)


def refused(family, address, port):
    c = socket.socket(family)
    try:
        c.connect((address, port))
    except ConnectionRefusedError:
        pass
    c.close()


def datagrams(family, address):
    u = socket.socket(family, socket.SOCK_DGRAM)
    u.bind((address, 0))
    v = socket.socket(family, socket.SOCK_DGRAM)
    for i in range(5):
        v.sendto(b'x' * i, u.getsockname())
        u.recv(100)
    # In fragments, where the device takes less.
    v.sendto(b'x' * 5000, u.getsockname())
    u.recv(10000)
    v.connect(u.getsockname())
    v.send(b'connected')
    u.recv(100)
    where = u.getsockname()
    u.close()
    # Nobody is there.
    v.send(b'lost')
    w = socket.socket(family, socket.SOCK_DGRAM)
    w.sendto(b'lost', where)


def overflow(port=0):
    """Ask a listener for more connections than it takes, until the kernel has asked
    again; all ends."""
    before = counters()['TcpRetransSegs']
    s = socket.socket()
    s.bind(('127.0.0.1', port))
    s.listen(1)
    ends = [s]
    for _ in range(5):
        c = socket.socket()
        c.setblocking(False)
        c.connect_ex(s.getsockname())
        ends.append(c)
    while counters()['TcpRetransSegs'] == before:
        time.sleep(0.1)
    return ends


def all_kinds():
    for family, address in (V4, '127.0.0.1'), (V6, '::1'), (V6, 'fd00::1:0:2'):
        s, c, d = stream(family, address)
        talk(c, d)
        c.close()
        d.recv(1)
        d.close()
        s.close()
        refused(family, address, 9)
        # Reset.
        s, c, d = stream(family, address)
        talk(c, d, 1)
        c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                     struct.pack('ii', 1, 0))
        c.close()
        d.close()
        s.close()
        datagrams(family, address)
    # IPv4 by sockets of IPv6.
    s, c, d = stream(V6, '::ffff:127.0.0.1')
    talk(c, d, 2)
    c.close()
    d.close()
    s.close()


if __name__ == '__main__':
    before = settle()
    what = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    capture = Capture(what['capture']) if 'capture' in what else None
    all_kinds()
    after = settle()
    if capture:
        capture.write()
    if 'counters' in what:
        with open(what['counters'], 'w') as f:
            for name in after:
                if after[name] != before.get(name, 0):
                    print(name, after[name] - before.get(name, 0), file=f)
