# What other systems call probes of providers that are tables: by the function that they are
# in there, and by another name, which is no pattern's.
for d in proc::proc_exit:exit sched:unix:resume:on-cpu io:genunix:bdev_strategy:start \
    mib:::udpHCInDatagrams mib:::udpHCOutDatagrams 'mib:::udp*InDatagrams'; do
	$DTRACE -l -n "$d" | awk 'NR > 1 { print $2, $NF }'
done
for d in proc::psig:exit_ vminfo:::udpHCInDatagrams proc::no_such:exit; do
	$DTRACE -l -n "$d" 2>&1 | grep -c 'No probe matches'
done
# A clause with them runs.
$DTRACE -qn 'proc::proc_exit:exit /pid == $target/ { printf("%s\n", probename); }
mib:::udpHCOutDatagrams { n += args[0]; }
tcp:::send { @[args[1]->cs_zoneid, curpsinfo->pr_jailid] = count(); } END { trunc(@); }' -c true
# Where a function is named that no probe is in, that is said.
for d in sched:unix:nosuch:on-cpu 'mib::icmp_*:' fsinfo::nosuch_read:read syscall::nosuch:entry; do
	$DTRACE -en "$d" 2>&1 | grep ^hint
done
