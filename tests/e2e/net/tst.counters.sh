# timeout: 60
# needs: ip unshare
# As many as the kernel's own counters say, in a namespace of its own.
cat >script <<'END'
#pragma D option quiet
inline uint64_t net[uint64_t A] = ((struct sk_buff *)A)->dev->nd_net.net->ns.inum;
inline uint64_t net_sk[uint64_t A] =
	((struct sock *)A)->__sk_common.skc_net.net->ns.inum;

ip:::send, ip:::receive /args[3]->if_ipstack == $1/
{ @["ip", probename, args[2]->ip_ver] = count(); }
tcp:::send, tcp:::receive, tcp:::connect-request, tcp:::accept-refused
/net[args[0]->pkt_addr] == $1/
{ @["tcp", probename, 0] = count(); }
tcp:::connect-established, tcp:::accept-established, tcp:::connect-refused
/net_sk[args[1]->cs_addr] == $1/
{ @["tcp", probename, 0] = count(); }
udp:::send, udp:::receive /net[args[0]->pkt_addr] == $1/
{ @["udp", probename, args[2]->ip_ver] = count(); }
END { printa("%s:::%s %d %@d\n", @); }
END
unshare -n bash -c '
	lo_up && ip addr add fd00::1:0:2/128 dev lo nodad
	exec "$DTRACE" -s script -o have \
		-c "python3 $HERE/traffic.py counters want" $(stat -Lc %i /proc/self/ns/net)'
awk 'NR == FNR { n[$1] = $2; next } NF { have[$1 " " $2] = $3 }
	function same(probe, want) {
		if (have[probe] == want && want > 0)
			print probe, "equal"
		else
			print probe, have[probe] " is not " want
	}
	END {
		same("ip:::send 4", n["IpOutRequests"])
		same("ip:::send 6", n["Ip6OutRequests"])
		same("ip:::receive 4", n["IpInReceives"])
		same("ip:::receive 6", n["Ip6InReceives"])
		same("tcp:::send 0", n["TcpOutSegs"])
		same("tcp:::receive 0", n["TcpInSegs"])
		same("tcp:::connect-request 0", n["TcpActiveOpens"])
		same("tcp:::connect-established 0",
			n["TcpActiveOpens"] - n["TcpAttemptFails"])
		same("tcp:::connect-refused 0", n["TcpAttemptFails"])
		same("tcp:::accept-established 0", n["TcpPassiveOpens"])
		same("tcp:::accept-refused 0", n["TcpAttemptFails"])
		same("udp:::send 4", n["UdpOutDatagrams"])
		same("udp:::receive 4", n["UdpInDatagrams"] + n["UdpNoPorts"])
		same("udp:::send 6", n["Udp6OutDatagrams"])
		same("udp:::receive 6", n["Udp6InDatagrams"] + n["Udp6NoPorts"])
	}' want have
