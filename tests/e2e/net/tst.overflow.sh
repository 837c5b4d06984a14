# timeout: 60
# needs: ip unshare
# A listener that takes no more: who is not accepted is not told to be, and who
# asks again has asked once.
cat >script <<'END'
#pragma D option quiet
inline uint64_t net[uint64_t A] =
	((struct sock *)A)->__sk_common.skc_net.net->ns.inum;
tcp:::connect-request, tcp:::accept-established /net[args[3]->tcps_addr] == $1/
{ @[probename] = count(); }
/* Every SYN, of which some are sent again. */
tcp:::send /net[args[3]->tcps_addr] == $1 && args[4]->tcp_flags == TH_SYN/
{ @["syn"] = count(); }
END { printa("%s %@d\n", @); }
END
unshare -n bash -c '
	lo_up
	exec "$DTRACE" -s script -o have \
		-c "python3 $HERE/overflow.py" $(stat -Lc %i /proc/self/ns/net)' >want
cat want have >both
awk '{ n[$1] = $2 }
	END {
		print (n["connect-request"] == n["TcpActiveOpens"]), n["connect-request"]
		print (n["accept-established"] == n["TcpPassiveOpens"]), n["accept-established"]
		print (n["TcpExtListenOverflows"] > 0), (n["syn"] > 5)
	}' both
