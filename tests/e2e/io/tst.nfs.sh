# timeout: 120
# What an NFS client asks of a server, both of them the kernel's on this machine: as many
# requests and bytes as its own books tell, with the names of the file and the mount; and
# what does not fit on the server, of which a part is done when the rest fails.
[ "$E2E_DISK" ] || { echo "no machine of its own"; exit 77; }
load nfsd && load nfsv4 || { echo "no NFS"; exit 77; }
mount -t nfsd nfsd /proc/fs/nfsd || { echo "no NFS server"; exit 77; }
mkdir server client
mount -t tmpfs -o size=2m server server
# Who may have what: else the kernel would ask mountd.  Flags: from any port, as root,
# with no check of folders above, known by a number.
until=$(($(date +%s) + 7200))
echo "nfsd 127.0.0.1 $until test" >/proc/net/rpc/auth.unix.ip/channel
echo "test 1 \\x00000000 $until $PWD/server" >/proc/net/rpc/nfsd.fh/channel
echo "test $PWD/server $until 9218 65534 65534 0" >/proc/net/rpc/nfsd.export/channel
echo "-3 +4 +4.1" >/proc/fs/nfsd/versions
# Nothing is opened in the time of grace.
echo 10 >/proc/fs/nfsd/nfsv4leasetime
echo 10 >/proc/fs/nfsd/nfsv4gracetime
echo "tcp 2049" >/proc/fs/nfsd/portlist && echo 2 >/proc/fs/nfsd/threads ||
	{ echo "no NFS server"; exit 77; }
join() {
	mount -i -t nfs4 -o vers=4.1,addr=127.0.0.1,clientaddr=127.0.0.1,rsize=65536,wsize=65536 \
		127.0.0.1:/ client
}
join || { echo "no NFS client"; exit 77; }
dd if=/dev/zero of=client/old bs=100k count=3 status=none
umount client
join
IFS=: read -r major minor < <(mountpoint -d client)
cat >script <<'SCRIPT'
#pragma D option quiet
io:::start /args[1]->dev_name == "nfs"/
{
	size[arg0] = args[0]->b_bcount;
	at[arg0] = args[2]->fi_offset;
	@start[args[0]->b_flags & B_READ ? "read" : "write",
	    args[2]->fi_pathname, args[2]->fi_name, args[2]->fi_mount, args[2]->fi_fs,
	    args[0]->b_flags & B_PAGEIO ? "cache" : "",
	    args[0]->b_flags & B_PHYS ? "memory" : "",
	    args[0]->b_flags & B_ASYNC ? "async" : "",
	    args[2]->fi_oflags & O_DIRECT ? "O_DIRECT" : "",
	    args[2]->fi_oflags & ~O_DIRECT] = sum(args[0]->b_bcount);
	@dev[args[1]->dev_statname, args[1]->dev_pathname, args[1]->dev_major,
	    args[1]->dev_minor == $1 && args[1]->dev_instance == $1 &&
	    args[0]->b_edev == $1] = count();
}
io:::done /args[1]->dev_name == "nfs" &&
    (size[arg0] != args[0]->b_bcount || at[arg0] != args[2]->fi_offset ||
    args[0]->b_blkno != at[arg0] / 512 || args[0]->b_bcount == 0)/
{ printf("%s: not what has started\n", args[2]->fi_pathname); }
io:::done /args[1]->dev_name == "nfs"/
{
	size[arg0] = 0;
	@n[args[0]->b_flags & B_READ ? "read" : "write"] = count();
	@bytes[args[0]->b_flags & B_READ ? "read" : "write"] =
	    sum(args[0]->b_bcount - args[0]->b_resid);
	@rest[args[0]->b_flags & B_READ ? "read" : "write", args[2]->fi_name] =
	    sum(args[0]->b_resid);
}
io:::done /args[1]->dev_name == "nfs" && args[0]->b_error/
{
	printf("failed: %d, flag %d, %d of %d at %d are not done\n", args[0]->b_error,
	    (args[0]->b_flags & B_ERROR) != 0, args[0]->b_resid, args[0]->b_bcount,
	    args[0]->b_blkno * 512);
}
END
{
	printa("start %s %s %s %s %s %s %s %s %s %d: %@d\n", @start);
	printa("dev %s %s %d %d\n", @dev);
	printa("rest %s %s %@d\n", @rest);
	printa("books %s %@d %@d\n", @n, @bytes);
}
SCRIPT
books() {
	awk '/^device/ { of_it = $5 == client }
		of_it && $1 == "bytes:" { r = $6; w = $7 }
		of_it && $1 == "READ:" { print "books read", $2, r }
		of_it && $1 == "WRITE:" { print "books write", $2, w }' \
		client=$PWD/client /proc/self/mountstats
}
since() {
	awk 'FNR == NR { n[$2] = $3; bytes[$2] = $4; next }
		{ print "books", $2, $3 - n[$2], $4 - bytes[$2] }' "$@"
}
named() {
	sed "/^$/d; s,$PWD,DIR,g; s/\bnfs$minor\b/nfsN/" "$@" | sort
}
# Two writes, of which the second begins before the first is waited for.
cat >async.py <<'END'
import ctypes, mmap, os, struct
setup, get, submit = (206, 208, 209) if os.uname().machine == 'x86_64' else (0, 4, 2)
call = ctypes.CDLL(None, use_errno=True).syscall
fd = os.open('client/async', os.O_RDWR | os.O_CREAT | os.O_DIRECT)
memory = mmap.mmap(-1, 8192)
at = ctypes.addressof(ctypes.c_char.from_buffer(memory))
# struct iocb, IOCB_CMD_PWRITE
blocks = [ctypes.create_string_buffer(struct.pack('<QIiHhIQQqQII', 0, 0, 0, 1, 0, fd, at, 8192,
                                                  i * 8192, 0, 0, 0), 64) for i in (0, 1)]
context = ctypes.c_ulong()
assert call(setup, 8, ctypes.byref(context)) == 0
for block in blocks:
    assert call(submit, context, ctypes.c_long(1),
                ctypes.byref(ctypes.c_void_p(ctypes.addressof(block)))) == 1
events = ctypes.create_string_buffer(64)
assert call(get, context, ctypes.c_long(2), ctypes.c_long(2), events, None) == 2
END
cat >work <<'END'
dd if=client/old of=/dev/null bs=64k iflag=direct status=none
dd if=client/old of=/dev/null bs=64k status=none
dd if=/dev/zero of=client/direct bs=128k count=4 oflag=direct status=none
dd if=/dev/zero of=client/cached bs=4k count=40 conv=fsync status=none
python3 async.py
END
books >before
"$DTRACE" -s script $minor -c 'bash work' >out 2>err || cat err
books >after
named out | grep -v ^books
named out | grep ^books >ours
since before after | diff - ours && [ -s ours ] && echo "as the books tell"

echo "what does not fit:"
truncate -s 2M server/new
dd if=/dev/zero of=server/fill bs=4k status=none 2>/dev/null
truncate -s -24k server/fill
"$DTRACE" -s script $minor \
	-c 'dd if=/dev/zero of=client/new bs=64k seek=1 count=1 oflag=direct conv=notrunc status=none' \
	2>err | named
grep "^dd" err
umount client
echo 0 >/proc/fs/nfsd/threads
umount server /proc/fs/nfsd
