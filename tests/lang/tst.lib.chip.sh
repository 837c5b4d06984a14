# Which chip and memory node a CPU belongs to, as sysfs tells.
cpu=/sys/devices/system/cpu/cpu0
chip=$(cat $cpu/topology/physical_package_id)
node=$(basename $cpu/node[0-9]*)
node=${node#node}
taskset -c 0 "$DTRACE" -qn 'BEGIN
/cpu == 0/
{
	printf("%d %d %d %d\n", chip, lgrp, curcpu->cpu_chip,
	    curcpu->cpu_lgrp);
	exit(0);
}' >out
echo "$chip ${node/\[0-9\]\*/0} $chip ${node/\[0-9\]\*/0}" | sed '$a\\' | diff - out
