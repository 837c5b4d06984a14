# timeout: 60
# needs: ip unshare nsenter
# Between two namespaces each end has what it sends and receives, and not what
# only passes: here a bridge lies between.
cat >script <<'END'
#pragma D option quiet
ip:::send, ip:::receive
/(args[3]->if_ipstack == $1 || args[3]->if_ipstack == $2) && args[2]->ip_ver == 4/
{ @[args[3]->if_ipstack == $1 ? "here" : "there", "ip", probename] = count(); }
tcp:::send, tcp:::receive
/args[2]->ip_saddr == "10.9.8.7" || args[2]->ip_daddr == "10.9.8.7"/
{
	@[args[2]->ip_saddr == (probename == "send" ? "10.9.8.7" : "10.9.8.6") ?
	    "there" : "here", "tcp", probename] = count();
}
tcp:::accept-established /args[2]->ip_daddr == "10.9.8.7"/
{ printf("%s has %d asked by %s\n", args[3]->tcps_laddr, args[3]->tcps_lport,
    args[3]->tcps_raddr); }
/* What belongs to one connection has one number, on each side. */
tcp:::send, tcp:::receive
/args[4]->tcp_dport == 3000 && args[2]->ip_daddr == "10.9.8.7"/
{ cid[probename] = args[1]->cs_cid; }
tcp:::state-change /args[3]->tcps_raddr == "10.9.8.7" && args[3]->tcps_lport/
{ wrong += args[1]->cs_cid != cid["send"]; changes++; }
tcp:::state-change
/args[3]->tcps_laddr == "10.9.8.7" && args[3]->tcps_raddr == "10.9.8.6"/
{ wrong += args[1]->cs_cid != cid["receive"]; changes++; }
END {
	printf("%d wrong of some %d, and two %d\n", wrong, changes > 4,
	    cid["send"] != cid["receive"]);
	printa("%s %s:::%s %@d\n", @);
}
END
cat >both <<'END'
apart() {
	for ((i = 0; i < tries; i++)); do
		[ "$(readlink /proc/$1/ns/net)" != "$(readlink /proc/self/ns/net)" ] && return
		sleep 0.1
	done
}
ip link set lo up
# A kernel may lack such devices.
{
	ip link add v0 type veth peer name w0 && ip link add v1 type veth peer name w1 &&
		ip link add name br0 type bridge && ip link del br0
} 2>&1 || exit 77
unshare -n sleep 100 &
other=$!
apart $other
there="nsenter -n -t $other"
# A bridge in a third, so that what passes is not of the ends.  It says nothing itself
# (a device that comes up tells which groups it is in, some time later).
unshare -n sleep 100 &
middle=$!
apart $middle
ip link set w0 netns $middle && ip link set w1 netns $middle
ip link set v1 netns $other
nsenter -n -t $middle sh -c 'ip link add name br0 type bridge mcast_snooping 0 && ip link set w0 master br0 &&
	ip link set w1 master br0 && ip link set br0 multicast off &&
	ip link set w0 multicast off && ip link set w1 multicast off &&
	ip link set w0 up && ip link set w1 up && ip link set br0 up'
ip addr add 10.9.8.6/24 dev v0 && ip link set v0 up
$there ip addr add 10.9.8.7/24 dev v1 && $there ip link set v1 up
$there ip link set lo up
# Until packets pass.
for ((i = 0; i < tries; i++)); do
	(: >/dev/tcp/10.9.8.7/9) 2>&1 | grep -q refused && break
	sleep 0.1
done
"$DTRACE" -s script -o have -c "python3 $HERE/ends.py $other want" \
	$(stat -Lc %i /proc/self/ns/net) $(stat -Lc %i /proc/$other/ns/net)
status=$?
kill $other $middle
exit $status
END
tries=$tries unshare -n bash both || exit
grep -v ::: have | grep .
grep ::: have | sort | diff - want && echo equal
