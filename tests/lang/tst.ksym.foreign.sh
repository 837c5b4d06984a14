# status: 1
# Variables of other kernels: what to look at instead, each told of once.
$DTRACE -n 'BEGIN
{
	this->free = `availrmem - `swapfs_minfree > 0 ? `availrmem - `swapfs_minfree : 0;
	this->free += `k_anoninfo.ani_phys_avail + unix`Asleep_availrmem;
	trace(`freemem);
	exit(0);
}' 2>&1
