# timeout: 60
# needs: ip unshare
# Every packet is told as a packet socket sees it, once when it is sent and once when
# it is received: in a namespace of its own, with a device that takes 1500 bytes.
cat >script <<'END'
#pragma D option quiet
inline uint64_t net[uint64_t A] = ((struct sk_buff *)A)->dev->nd_net.net->ns.inum;

ip:::send, ip:::receive /args[3]->if_ipstack == $1 && args[2]->ip_ver == 4/
{
	printf("ip %s %s %s %d %d %d %d %d %d %d %d\n", probename, args[2]->ip_saddr,
	    args[2]->ip_daddr, args[2]->ip_plength, args[4]->ipv4_tos,
	    args[4]->ipv4_length, args[4]->ipv4_ident, args[4]->ipv4_flags,
	    args[4]->ipv4_offset, args[4]->ipv4_ttl, args[4]->ipv4_protocol);
}
ip:::send, ip:::receive /args[3]->if_ipstack == $1 && args[2]->ip_ver == 6/
{
	printf("ip %s %s %s %d %d %d %d %d %d\n", probename, args[2]->ip_saddr,
	    args[2]->ip_daddr, args[2]->ip_plength, args[5]->ipv6_tclass,
	    args[5]->ipv6_flow, args[5]->ipv6_plen, args[5]->ipv6_nexthdr,
	    args[5]->ipv6_hlim);
}
tcp:::send, tcp:::receive /net[args[0]->pkt_addr] == $1/
{
	printf("tcp %s %s %d %s %d %u %u %d %d %d %d\n", probename,
	    args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr,
	    args[4]->tcp_dport, args[4]->tcp_seq, args[4]->tcp_ack,
	    args[4]->tcp_offset, args[4]->tcp_flags, args[4]->tcp_window,
	    args[4]->tcp_urgent);
}
udp:::send, udp:::receive /net[args[0]->pkt_addr] == $1/
{
	printf("udp %s %s %d %s %d %d\n", probename, args[2]->ip_saddr,
	    args[4]->udp_sport, args[2]->ip_daddr, args[4]->udp_dport,
	    args[4]->udp_length);
}
/* The ends are the packet's, turned round where it was received. */
tcp:::send, tcp:::receive
/net[args[0]->pkt_addr] == $1 &&
 (args[3]->tcps_lport != (probename == "send" ? args[4]->tcp_sport :
	args[4]->tcp_dport) ||
  args[3]->tcps_raddr != (probename == "send" ? args[2]->ip_daddr :
	args[2]->ip_saddr))/
{ printf("wrong %d\n", args[3]->tcps_lport); }
udp:::send, udp:::receive
/net[args[0]->pkt_addr] == $1 &&
 (args[3]->udps_rport != (probename == "send" ? args[4]->udp_dport :
	args[4]->udp_sport) ||
  args[3]->udps_laddr != (probename == "send" ? args[2]->ip_saddr :
	args[2]->ip_daddr))/
{ printf("wrong %d\n", args[3]->udps_rport); }
END
unshare -n bash -c '
	lo_up mtu 1500 && ip addr add fd00::1:0:2/128 dev lo nodad
	exec "$DTRACE" -s script -o have \
		-c "python3 $HERE/traffic.py capture want" $(stat -Lc %i /proc/self/ns/net)'
sort want >want.sorted
grep . have | sort | diff - want.sorted && echo equal
awk '{ n[$1 " " $2]++ } END { for (i in n) print i, (n[i] > 10) }' want | sort
grep -c fd00::1:0:2 want | awk '{ print ($1 > 10) }'
# Fragments were among them.
awk '$1 == "ip" && $2 == "send" && $5 > 1000 && NF == 12 && $10 > 0' want | wc -l
