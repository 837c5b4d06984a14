/* flags: -q */
BEGIN
/pid == $pid && tid == pid && ppid == $ppid && uid == $uid && gid == $gid/
{
	printf("%s %d %d\n", execname, id, epid);
}

BEGIN
{
	this->t = timestamp;
	this->w = walltimestamp;
	printf("%d %d\n", timestamp == this->t, walltimestamp > this->w);
	printf("%d\n", this->w > 1600000000000000000);
	printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename);
	exit(0);
}
