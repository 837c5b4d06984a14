# Words of another tracing language, and what D has instead.
for e in cgroup cpid elapsed jiffies ncpus username 'bswap(arg0)' 'buf(arg0, 4)' 'cat("/proc/loadavg")' \
	'cgroupid("/sys/fs/cgroup")' 'delete(@x[1])' 'join(arg1)' 'kaddr("init_task")' 'ksym(arg0)' \
	'macaddr(arg0)' 'path(arg0)' 'reg("ip")' 'signal("KILL")' 'stats(arg0)' \
	'strcontains("ab", "b")' 'strerror(errno)' 'zero(@x)'; do
	"$DTRACE" -en "BEGIN { trace($e); }" 2>&1 | sed -n "s/^hint/${e%%(*}/p"
done
# What the hints say is D.
"$DTRACE" -wqn 'BEGIN {
	this->name = stringof(curthread->cgroups->dfl_cgrp->kn->name);
	this->mac = (char *)alloca(6); this->mac[5] = 1;
	printf("%d %d %d %d\n", curthread->cgroups->dfl_cgrp->kn->id > 0, $target > 0,
	    `jiffies > 0, `ncpus_online > 0);
	printf("%x %s %d\n", ntohs(1), link_ntop(ARPHRD_ETHER, this->mac),
	    strstr("ab", "b") != NULL);
	system("cat /dev/null");
	printf("%d\n", uregs[R_PC] != 0 && uregs[R_SP] != 0);
	exit(0); }' -c true
