# timeout: 90
# needs: ip unshare
# Every change of state of both ends of connections, in order; IPv4 and 6 alike.
# Whom it is with, a socket that is made for a connection may learn thereafter.
cat >script <<'END'
#pragma D option quiet
tcp:::state-change
/args[3]->tcps_laddr == $$1 && (args[3]->tcps_lport / 100 >= 10 &&
 args[3]->tcps_lport / 100 <= 15 || args[3]->tcps_rport == 1500)/
{
	printf("%d %s -> %s %s:%d\n", args[3]->tcps_rport == 1500 ? 1501 :
	    args[3]->tcps_lport, tcp_state_string[args[5]->tcps_state],
	    tcp_state_string[args[3]->tcps_state],
	    args[3]->tcps_state == TCP_STATE_SYN_RECEIVED ? "?" : args[3]->tcps_raddr,
	    args[3]->tcps_state == TCP_STATE_SYN_RECEIVED ? 0 :
	    args[3]->tcps_rport == 1500 || args[3]->tcps_rport % 100 < 2 ?
	    args[3]->tcps_rport : 0);
}
END
run() {
	unshare -n bash -c 'lo_up
		exec "$DTRACE" -s script -o '$1' -c "python3 $HERE/states.py '$2'" '$3
	sort -s -n -k 1,1 $1 | grep .
}
run four 4 127.0.0.1
run six 6 ::1 | sed -e 's/ ::1:/ 127.0.0.1:/' -e 's/ :::0/ 0.0.0.0:0/' >six.sorted
sort -s -n -k 1,1 four | grep . | diff - six.sorted && echo alike
