# timeout: 60
# needs: ip unshare
# The counters rise as the kernel's own do, in a namespace of its own.
cat >script <<'END'
#pragma D option quiet
mib::: /arg1 == $1/ { @[probename] = sum(args[0]); }
END { printa("%s %@d\n", @); }
END
unshare -n bash -c '
	lo_up mtu 1500
	exec "$DTRACE" -s script -o have \
		-c "python3 $HERE/mib.py want" $(stat -Lc %i /proc/self/ns/net)'
# All that is sent comes back; before 6.5 the kernel does not count the headers of
# fragments in what it sent.
# Before 6.3 the kernel does not tell what is received.
"$DTRACE" -l -P mib | grep -q udpInDatagrams ||
	sed -n 's/^UdpInD/udpInD/p' want >>have
cat >pairs <<'END'
ipInReceives IpInReceives
ipOutRequests IpOutRequests
ipIfStatsHCInOctets InOctets
ipIfStatsHCOutOctets InOctets
icmpInMsgs IcmpInMsgs
icmpInDestUnreachs IcmpInDestUnreachs
icmpInEchos IcmpInEchos
icmpInEchoReps IcmpInEchoReps
icmpOutMsgs IcmpOutMsgs
icmpOutDestUnreachs IcmpOutDestUnreachs
icmpOutEchos IcmpOutEchos
icmpOutEchoReps IcmpOutEchoReps
tcpActiveOpens TcpActiveOpens
tcpPassiveOpens TcpPassiveOpens
tcpEstabResets TcpEstabResets
tcpInSegs TcpInSegs
tcpOutSegs TcpOutSegs
tcpOutRsts TcpOutRsts
tcpRetransSegs TcpRetransSegs
udpInDatagrams UdpInDatagrams
udpOutDatagrams UdpOutDatagrams
udpNoPorts UdpNoPorts
udpInOverflows UdpRcvbufErrors
END
cat want have >both
awk 'NR == FNR { n[$1] = $2; next }
	{
		if (n[$1] == n[$2] && n[$2] > 0)
			print $1, "equal"
		else
			print $1, n[$1], "is not", n[$2]
		delete n[$1]
	}
	END {
		# What was sent came, of connections that nobody half closed.
		if (n["tcpOutDataBytes"] == n["tcpInDataInorderBytes"])
			print 1
		else
			print n["tcpInDataInorderBytes"], "in order,",
			      n["tcpInDataUnorderBytes"], "not,",
			      n["tcpInDataDupBytes"], "twice"
		print n["tcpOutDataBytes"]
		print (n["tcpOutDataSegs"] >= n["tcpInDataInorderSegs"])
	}' both pairs
