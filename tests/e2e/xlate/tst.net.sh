# timeout: 60
# needs: ip unshare
# Each member that tells of a packet or of a connection is what a packet socket sees, and
# what TCP_INFO says, in a namespace of its own.
cat >script <<'END'
#pragma D option quiet
inline uint64_t net[uint64_t A] = ((struct sk_buff *)A)->dev->nd_net.net->ns.inum;
inline uint16_t at[uintptr_t A] = ntohs(*(uint16_t *)A);

ip:::send /args[3]->if_ipstack == $1 && args[2]->ip_ver == 4/
{
	printf("ip4 %d %d %d %d %d %d %d %d %d %s %d %u %u %s %s %d\n",
	    args[4]->ipv4_ver, args[4]->ipv4_ihl, args[4]->ipv4_tos, args[4]->ipv4_length,
	    args[4]->ipv4_ident, args[4]->ipv4_flags, args[4]->ipv4_offset,
	    args[4]->ipv4_ttl, args[4]->ipv4_protocol, args[4]->ipv4_protostr,
	    args[4]->ipv4_checksum, args[4]->ipv4_src, args[4]->ipv4_dst,
	    args[4]->ipv4_saddr, args[4]->ipv4_daddr, at[args[4]->ipv4_hdr + 10]);
}
ip:::send /args[3]->if_ipstack == $1 && args[2]->ip_ver == 6/
{
	printf("ip6 %d %d %d %d %d %s %d %s %s %s %s %d\n", args[5]->ipv6_ver,
	    args[5]->ipv6_tclass, args[5]->ipv6_flow, args[5]->ipv6_plen,
	    args[5]->ipv6_nexthdr, args[5]->ipv6_nextstr, args[5]->ipv6_hlim,
	    args[5]->ipv6_saddr, args[5]->ipv6_daddr,
	    inet_ntoa6((struct in6_addr *)args[5]->ipv6_src),
	    inet_ntoa6((struct in6_addr *)args[5]->ipv6_dst), at[args[5]->ipv6_hdr + 4]);
}
/* The kind that a packet is not of is nothing, and so for its device. */
ip:::send
/args[3]->if_ipstack == $1 &&
 (args[2]->ip_ver == 4 ? args[5]->ipv6_ver || args[5]->ipv6_hdr || args[5]->ipv6_src ||
	args[5]->ipv6_dst || args[5]->ipv6_saddr != "<null>" ||
	args[5]->ipv6_daddr != "<null>" :
	args[4]->ipv4_ver || args[4]->ipv4_hdr || args[4]->ipv4_src ||
	args[4]->ipv4_dst || args[4]->ipv4_saddr != "<null>" ||
	args[4]->ipv4_daddr != "<null>" || args[4]->ipv4_ihl || args[4]->ipv4_checksum)/
{ printf("both kinds at once\n"); }
ip:::send
/args[3]->if_ipstack == $1 && (args[3]->if_name != "lo" || args[3]->if_local != 1 ||
 stringof(((struct net_device *)args[3]->if_addr)->name) != "lo")/
{ printf("another device %s\n", args[3]->if_name); }

tcp:::send /net[args[0]->pkt_addr] == $1/
{
	printf("tcp %d %d %u %u %d %d %d %d %d %d\n", args[4]->tcp_sport,
	    args[4]->tcp_dport, args[4]->tcp_seq, args[4]->tcp_ack, args[4]->tcp_offset,
	    args[4]->tcp_flags, args[4]->tcp_window, args[4]->tcp_checksum,
	    args[4]->tcp_urgent, at[args[4]->tcp_hdr + 16]);
}
udp:::send /net[args[0]->pkt_addr] == $1/
{
	printf("udp %d %d %d %d %d\n", args[4]->udp_sport, args[4]->udp_dport,
	    args[4]->udp_length, args[4]->udp_checksum, at[args[4]->udp_hdr + 6]);
}
udp:::send
/net[args[0]->pkt_addr] == $1 && (args[3]->udps_addr == 0 ||
 args[3]->udps_lport != args[4]->udp_sport || args[3]->udps_rport != args[4]->udp_dport ||
 ((struct sock *)args[3]->udps_addr)->__sk_common.skc_num != args[4]->udp_sport ||
 args[1]->cs_addr != args[3]->udps_addr || args[1]->cs_pid != 0)/
{ printf("another socket\n"); }

/* Where the numbers began both ends tell, but for who is only being made. */
tcp:::send /net[args[0]->pkt_addr] == $1 && args[4]->tcp_flags & TH_SYN/
{ began[args[4]->tcp_sport] = args[4]->tcp_seq; }
tcp:::send
/net[args[0]->pkt_addr] == $1 && args[3]->tcps_addr &&
 args[3]->tcps_state != TCP_STATE_SYN_RECEIVED &&
 (args[3]->tcps_iss != began[args[4]->tcp_sport] ||
 args[3]->tcps_irs != (args[4]->tcp_flags & TH_ACK ? began[args[4]->tcp_dport] : 0))/
{
	printf("flags %x: began with %u, and not %u, the other with %u, and not %u\n",
	    args[4]->tcp_flags, args[3]->tcps_iss, began[args[4]->tcp_sport],
	    args[3]->tcps_irs, began[args[4]->tcp_dport]);
}
tcp:::send
/net[args[0]->pkt_addr] == $1 && args[3]->tcps_addr && args[3]->tcps_iss/
{ @told[args[3]->tcps_active ? "client" : "server"] = count(); }
END { printa("%s\n", @told); }

/* The one byte: nothing is under way. */
tcp:::send
/net[args[0]->pkt_addr] == $1 && args[2]->ip_plength - args[4]->tcp_offset == 1/
{
	printf("info %d rto=%d mss=%d rtt=%d rtt_sd=%d cwnd_ssthresh=%d cwnd=%d ",
	    args[3]->tcps_lport, args[3]->tcps_rto, args[3]->tcps_mss, args[3]->tcps_rtt,
	    args[3]->tcps_rtt_sd, args[3]->tcps_cwnd_ssthresh, args[3]->tcps_cwnd);
	printf("active=%d passive=%d ", args[3]->tcps_active,
	    active[args[3]->tcps_rport] == 1);
	printf("snd_ws=%d rcv_ws=%d swnd=%d rwnd=%d retransmit=%d\n",
	    args[3]->tcps_snd_ws, args[3]->tcps_rcv_ws, args[3]->tcps_swnd, args[3]->tcps_rwnd,
	    args[3]->tcps_retransmit);
}
tcp:::send
/net[args[0]->pkt_addr] == $1 && args[2]->ip_plength - args[4]->tcp_offset == 1 &&
 (args[3]->tcps_suna != args[4]->tcp_seq || args[3]->tcps_snxt != args[4]->tcp_seq ||
 args[3]->tcps_smax != args[4]->tcp_seq || args[3]->tcps_sack_snxt != args[4]->tcp_seq ||
 args[3]->tcps_rnxt != args[4]->tcp_ack || args[3]->tcps_rack != args[4]->tcp_ack ||
 args[3]->tcps_state != TCP_STATE_ESTABLISHED || args[3]->tcps_local != 1 ||
 args[3]->tcps_sack_fack != 0 ||
 args[3]->tcps_rwnd >> args[3]->tcps_rcv_ws != args[4]->tcp_window ||
 args[3]->tcps_addr != args[1]->cs_addr ||
 ((struct sock *)args[3]->tcps_addr)->__sk_common.skc_num != args[4]->tcp_sport)/
{
	printf("seq %u: una %u nxt %u max %u; ack %u: rnxt %u rack %u; state %d local %d\n",
	    args[4]->tcp_seq, args[3]->tcps_suna, args[3]->tcps_snxt, args[3]->tcps_smax,
	    args[4]->tcp_ack, args[3]->tcps_rnxt, args[3]->tcps_rack, args[3]->tcps_state,
	    args[3]->tcps_local);
}
/* Who opens it. */
inline uint64_t its_net[uintptr_t A] = ((struct sock_common *)A)->skc_net.net->ns.inum;
tcp:::connect-request /its_net[args[1]->cs_addr] == $1 && args[3]->tcps_active != 1/
{ printf("the client is not active\n"); }
tcp:::accept-established /its_net[args[1]->cs_addr] == $1 && args[3]->tcps_active != 0/
{ printf("the server is active\n"); }
tcp:::send
/net[args[0]->pkt_addr] == $1 && args[3]->tcps_state == TCP_STATE_ESTABLISHED &&
 args[2]->ip_plength > args[4]->tcp_offset/
{ active[args[3]->tcps_lport] = args[3]->tcps_active + 1; }
END
unshare -n bash -c '
	ip link set lo up
	exec "$DTRACE" -s script -o have -c "python3 $HERE/net.py want" \
		$(stat -Lc %i /proc/self/ns/net)'
# Older kernels do not tell their own window.
grep -q rwnd=None want && sed -i 's/ rwnd=[^ ]*//' want have
grep . have | grep -v "^client$\|^server$" | sort >have.sorted
sort want | diff have.sorted - && echo equal
grep "^client$\|^server$" have | sort
cut -d ' ' -f 1 want | sort | uniq -c | awk '{ print $2, ($1 > 1) }'
