# timeout: 60
# What scripts of other systems do with these probes compiles, and the kernel takes
# it.  They end at once, as they would show what others do.
try() {
	"$DTRACE" -q -n 'BEGIN { exit(0); }' -s /dev/stdin >/dev/null 2>err ||
		{ echo "$1 fails"; cat err; }
	grep -v 'firings\? lost$' err
	echo "$1"
}
try 'who talks' <<'END'
dtrace:::BEGIN { printf("%-3s %15s:%-5s %15s:%-5s %6s  %s\n", "CPU", "LADDR",
    "LPORT", "RADDR", "RPORT", "BYTES", "FLAGS"); }
tcp:::send
{
	this->length = args[2]->ip_plength - args[4]->tcp_offset;
	printf("%-3d %15s:%-5d -> %15s:%-5d %6d  (", cpu, args[2]->ip_saddr,
	    args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport,
	    this->length);
}
tcp:::receive
{
	this->length = args[2]->ip_plength - args[4]->tcp_offset;
	printf("%-3d %15s:%-5d <- %15s:%-5d %6d  (", cpu, args[2]->ip_daddr,
	    args[4]->tcp_dport, args[2]->ip_saddr, args[4]->tcp_sport,
	    this->length);
}
tcp:::send, tcp:::receive
{
	printf("%s", args[4]->tcp_flags & TH_FIN ? "FIN|" : "");
	printf("%s", args[4]->tcp_flags & TH_SYN ? "SYN|" : "");
	printf("%s", args[4]->tcp_flags & TH_RST ? "RST|" : "");
	printf("%s", args[4]->tcp_flags & TH_PUSH ? "PUSH|" : "");
	printf("%s", args[4]->tcp_flags & TH_ACK ? "ACK|" : "");
	printf("%s", args[4]->tcp_flags & TH_URG ? "URG|" : "");
	printf("%s", args[4]->tcp_flags & TH_ECE ? "ECE|" : "");
	printf("%s", args[4]->tcp_flags & TH_CWR ? "CWR|" : "");
	printf("%s", args[4]->tcp_flags == 0 ? "null " : "");
	printf("\b)\n");
}
END
try 'packets of IP' <<'END'
ip:::send
{ printf(" %4d  %-10s %15s -> %15s %6d\n", cpu, args[3]->if_name, args[2]->ip_saddr,
    args[2]->ip_daddr, args[2]->ip_plength); }
ip:::receive
{ printf(" %4d  %-10s %15s <- %15s %6d\n", cpu, args[3]->if_name, args[2]->ip_daddr,
    args[2]->ip_saddr, args[2]->ip_plength); }
END
try 'by protocol' <<'END'
ip:::send, ip:::receive
{
	this->protostr = args[2]->ip_ver == 4 ? args[4]->ipv4_protostr :
	    args[5]->ipv6_nextstr;
	@num[args[2]->ip_saddr, args[2]->ip_daddr, this->protostr] = count();
}
END
try 'states' <<'END'
tcp:::state-change
{
	printf("%d %-20s -> %s\n", args[1]->cs_cid,
	    tcp_state_string[args[5]->tcps_state],
	    tcp_state_string[args[3]->tcps_state]);
}
END
try 'sizes' <<'END'
tcp:::receive, tcp:::send
{ @bytes[args[2]->ip_saddr, args[4]->tcp_dport] =
    quantize(args[2]->ip_plength - args[4]->tcp_offset); }
tcp:::send { @[args[2]->ip_daddr] = sum(args[2]->ip_plength); }
END
try 'how long to connect' <<'END'
tcp:::connect-request { start[args[1]->cs_cid] = timestamp; }
tcp:::connect-established
/start[args[1]->cs_cid]/
{
	@latency["Connect Latency (ns)", args[3]->tcps_raddr] =
	    quantize(timestamp - start[args[1]->cs_cid]);
	start[args[1]->cs_cid] = 0;
}
END
try 'to the first byte' <<'END'
tcp:::connect-established { start[args[1]->cs_cid] = timestamp; }
tcp:::receive
/start[args[1]->cs_cid] && (args[2]->ip_plength - args[4]->tcp_offset) > 0/
{
	@latency["1st Byte Latency (ns)", args[2]->ip_saddr] =
	    quantize(timestamp - start[args[1]->cs_cid]);
	start[args[1]->cs_cid] = 0;
}
END
try 'who is accepted and refused' <<'END'
tcp:::accept-established
{ @[args[3]->tcps_raddr, args[3]->tcps_lport] = count();
  @num[args[2]->ip_saddr, args[4]->tcp_dport] = count(); }
tcp:::accept-refused, tcp:::connect-refused
{ @refused[args[2]->ip_daddr, args[4]->tcp_sport] = count(); }
END
try 'closed windows' <<'END'
tcp:::receive
/args[4]->tcp_window == 0 && (args[4]->tcp_flags & (TH_RST | TH_FIN)) == 0/
{ self->closed[args[1]->cs_cid] = timestamp; }
tcp:::send
{ @["cwnd", args[2]->ip_daddr, args[4]->tcp_dport] = quantize(args[3]->tcps_cwnd);
  @unacked["bytes"] = quantize(args[3]->tcps_snxt - args[3]->tcps_suna);
  @rto["ms"] = max(args[3]->tcps_rto); @rtt["us"] = avg(args[3]->tcps_rtt); }
END
try 'datagrams' <<'END'
udp:::send
{ printf("%15s:%-5d -> %15s:%-5d %d\n", args[2]->ip_saddr, args[4]->udp_sport,
    args[2]->ip_daddr, args[4]->udp_dport, args[4]->udp_length); }
udp:::receive
{ @[args[3]->udps_laddr, args[3]->udps_lport, args[3]->udps_raddr] = count(); }
END
try 'counters' <<'END'
#pragma D option quiet
dtrace:::BEGIN { TCP_out = 0; TCP_outRe = 0; TCP_in = 0; TCP_inDup = 0; TCP_inUn = 0; }
mib:::tcpOutDataBytes { TCP_out += arg0; }
mib:::tcpRetransBytes { TCP_outRe += arg0; }
mib:::tcpInDataInorderBytes { TCP_in += arg0; }
mib:::tcpInDataDupBytes { TCP_inDup += arg0; }
mib:::tcpInDataUnorderBytes { TCP_inUn += arg0; }
mib:::icmp* { @icmp[probename] = sum(arg0); }
mib::: { @[execname, probename] = sum(args[0]); }
profile:::tick-1sec { printf("%11d %11d %11d %11d %11d\n", TCP_out, TCP_outRe, TCP_in,
    TCP_inDup, TCP_inUn); TCP_out = 0; TCP_outRe = 0; TCP_in = 0; }
END
