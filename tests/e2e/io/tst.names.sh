# Which file: what the page cache is of, what goes past it, and what no file is.
# timeout: 60
[ "$E2E_DISK" ] || { echo "no disk of its own"; exit 77; }
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0,nodiscard $E2E_DISK
mkdir -p /mnt/io
mount $E2E_DISK /mnt/io
mkdir /mnt/io/dir
cat >script <<'SCRIPT'
#pragma D option quiet
io:::start /args[2]->fi_fs == "ext4"/
{
	@[args[0]->b_flags & B_READ ? "read" : "write",
	    args[0]->b_flags & B_PAGEIO ? "pages" :
	    args[0]->b_flags & B_PHYS ? "memory" : "neither",
	    args[2]->fi_pathname, args[2]->fi_name, args[2]->fi_dirname,
	    args[2]->fi_mount, args[2]->fi_oflags & 3] = sum(args[0]->b_bcount);
}
io:::start /args[2]->fi_fs == "ext4" && args[0]->b_flags & B_PAGEIO/
{
	@first[args[0]->b_flags & B_READ ? "read" : "write", args[2]->fi_name] =
	    min(args[2]->fi_offset);
	@last[args[0]->b_flags & B_READ ? "read" : "write", args[2]->fi_name] =
	    max(args[2]->fi_offset + args[0]->b_bcount);
}
io:::start /args[2]->fi_fs != "ext4" && args[0]->b_bcount/
{ @none[args[2]->fi_pathname, args[2]->fi_name, args[2]->fi_dirname,
    args[2]->fi_mount, args[2]->fi_offset] = count(); }
END
{
	printa("%s %s %s %s %s %s %d %@d\n", @);
	printa("from %s %s %@d\n", @first);
	printa("to %s %s %@d\n", @last);
	printa("other: %s %s %s %s %d\n", @none);
}
SCRIPT
cat >work <<'END'
cd /mnt/io/dir
dd if=/dev/zero of=cached bs=4k count=100 conv=fsync status=none
dd if=/dev/zero of=direct bs=64k count=4 oflag=direct status=none
# Longer than the disk takes at once, so split.
dd if=/dev/zero of=split bs=4M count=1 oflag=direct status=none
sync
echo 3 >/proc/sys/vm/drop_caches
cat cached >/dev/null
dd if=direct of=/dev/null bs=128k iflag=direct status=none
END
"$DTRACE" -s script -c 'bash work' | sort
umount /mnt/io
