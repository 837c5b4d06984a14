# timeout: 60
# needs: ip unshare
# Sockets that connect and have no port of their own yet: their change to SYN_SENT has
# the same port and cs_cid as all that follows.  Where there is no port left, both
# changes are told, one after the other.
cat >asks.py <<'END'
import socket
for family, address in (socket.AF_INET, '127.0.0.1'), (socket.AF_INET6, '::1'):
    s = socket.socket(family)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind((address, 1600))
    s.listen()
    c = [socket.socket(family) for _ in range(2)]
    for i in c:
        try:
            i.connect((address, 1600))
        except OSError:
            pass
    for i in c:
        i.close()
END
cat >script <<'END'
#pragma D option quiet
int first[uint64_t];
tcp:::state-change
/args[3]->tcps_rport == 1600 && args[5]->tcps_state != TCP_STATE_FIN_WAIT_1/
{
	first[args[1]->cs_cid] = first[args[1]->cs_cid] ? first[args[1]->cs_cid] : ++n;
	printf("%d: %s -> %s %s:%d\n", first[args[1]->cs_cid],
	    tcp_state_string[args[5]->tcps_state],
	    tcp_state_string[args[3]->tcps_state],
	    args[3]->tcps_laddr, args[3]->tcps_lport);
}
END
unshare -n bash -c 'lo_up
	echo 20000 20000 >/proc/sys/net/ipv4/ip_local_port_range
	exec "$DTRACE" -s script -c "python3 asks.py"' | grep .
