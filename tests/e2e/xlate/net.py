"""net.py FILE: packets of each kind between two ends on this machine, in a network
namespace of its own, and into FILE what the members that tell of them must be, as lines
that the script prints too: by a packet socket, and for connections by TCP_INFO."""
import ipaddress
import select
import socket
import struct
import sys
import time

NAMES = {1: 'ICMP', 6: 'TCP', 17: 'UDP', 58: 'ICMPV6'}


def describe(d):
    """The headers of one packet that was sent."""
    if d[0] >> 4 == 4:
        tos, length, ident, frag, ttl, proto, check, src, dst = \
            struct.unpack_from('!xBHHHBBH4s4s', d)
        at = (d[0] & 15) * 4
        yield ('ip4', 4, at, tos, length, ident, frag >> 13, frag & 0x1fff, ttl, proto,
               NAMES[proto], check, *struct.unpack('=II', src + dst),
               ipaddress.ip_address(src), ipaddress.ip_address(dst), check)
    else:
        first, plen, proto, hops, src, dst = struct.unpack_from('!IHBB16s16s', d)
        at = 40
        src, dst = ipaddress.ip_address(src), ipaddress.ip_address(dst)
        yield ('ip6', 6, first >> 20 & 0xff, first & 0xfffff, plen, proto, NAMES[proto],
               hops, src, dst, src, dst, plen)
    if proto == 6:
        sport, dport, seq, ack, off, flags, window, check, urgent = \
            struct.unpack_from('!HHIIBBHHH', d, at)
        yield ('tcp', sport, dport, seq, ack, (off >> 4) * 4, flags, window, check,
               urgent, check)
    elif proto == 17:
        yield ('udp', *struct.unpack_from('!HHHH', d, at),
               struct.unpack_from('!H', d, at + 6)[0])


def tcp_info(s):
    """What TCP_INFO says of a connection, by the names of tcpsinfo_t."""
    v = s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 240)
    scale = v[6]
    word = struct.unpack_from('=24I', v, 8)
    rto, mss, rtt, var, ssthresh, cwnd = word[0], word[2], word[15], word[16], word[17], \
        word[18]
    snd_wnd, = struct.unpack_from('=I', v, 228)
    rcv_wnd = struct.unpack_from('=I', v, 232)[0] if any(v[232:236]) else None
    return dict(rto=rto // 1000, mss=mss, rtt=rtt, rtt_sd=var,
                cwnd_ssthresh=ssthresh if ssthresh == 0x7fffffff else ssthresh * mss,
                cwnd=cwnd * mss, active=1, passive=1, snd_ws=scale & 15, rcv_ws=scale >> 4, swnd=snd_wnd,
                rwnd=rcv_wnd, retransmit=v[2])


def exchange(family, address, source):
    server = socket.socket(family, socket.SOCK_STREAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 200000)
    server.bind((address, 0))
    server.listen()
    client = socket.create_connection(server.getsockname()[:2], source_address=source)
    peer, _ = server.accept()
    for size in 1000, 20000, 7:
        client.sendall(bytes(size))
        while size:
            size -= len(peer.recv(size))
    peer.sendall(b'back')
    client.recv(4)
    return server, client, peer


def datagrams(family, address):
    s = socket.socket(family, socket.SOCK_DGRAM)
    s.bind((address, 0))
    if family == socket.AF_INET:
        s.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 0x48)
        s.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, 33)
    else:
        s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_TCLASS, 0x48)
        s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_UNICAST_HOPS, 33)
    for size in 0, 1, 500:
        s.sendto(bytes(size), s.getsockname())
    return s


def main():
    sees = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
    sees.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
    with open(sys.argv[1], 'w') as out:
        for family, address in (socket.AF_INET, '127.0.0.1'), (socket.AF_INET6, '::1'):
            datagrams(family, address).close()
            # A client of no port, and one of a port of its own.
            server, client, peer = exchange(
                family, address, ('::1', 4321) if family == socket.AF_INET6 else None)
            time.sleep(0.3)                     # whoever waits to acknowledge has done
            info = tcp_info(client)
            port = client.getsockname()[1]
            # By its port the script knows the connection, and by the byte the moment.
            client.sendall(b'!')
            peer.recv(1)
            print('info', port, *(f'{name}={value}' for name, value in info.items()),
                  file=out)
            for end in client, peer, server:
                end.close()
        time.sleep(0.3)
        while select.select([sees], [], [], 0)[0]:
            data, (_, proto, kind, *_) = sees.recvfrom(1 << 17)
            if kind == 4:                       # PACKET_OUTGOING
                for fields in describe(data):
                    print(*fields, file=out)


main()
