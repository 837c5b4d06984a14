"""states.py: connections that begin and end in all the ways, of known ports."""
import socket
import struct
import sys
import time

from traffic import V4, V6, refused, settle, stream

FAMILY, ADDRESS = (V6, '::1') if sys.argv[1:] == ['6'] else (V4, '127.0.0.1')


def pair(port, source):
    s, c, d = stream(FAMILY, ADDRESS, port, source)
    s.close()
    settle()
    return c, d


def close(*ends):
    """One after the other, each when all is quiet."""
    for end in ends:
        end.close()
        settle()


close(*pair(1000, 1001))		# the client first
c, d = pair(1100, 1101)
close(d, c)				# the server first
c, d = pair(1200, 1201)			# one half, then the other
c.shutdown(socket.SHUT_WR)
settle()
d.shutdown(socket.SHUT_WR)
settle()
close(c, d)
c, d = pair(1300, 1301)			# a reset
c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
close(c, d)
c, d = pair(1400, 1401)			# with something that nobody has read
c.send(b'x')
settle()
close(d, c)
refused(FAMILY, ADDRESS, 1500)
settle()
