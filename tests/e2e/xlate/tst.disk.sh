# timeout: 120
# Each member of bufinfo_t and devinfo_t, of an io to a disk: its place, its size, the
# page that it is of, who is told of its end; and of the disk, as /sys has it.
[ "$E2E_DISK" ] || { echo "no disk of its own"; exit 77; }
name=${E2E_DISK#/dev/}
IFS=: read -r major minor </sys/block/$name/dev
"$DTRACE" -qn '
io:::start, io:::done /args[1]->dev_statname == $$1 && args[0]->b_bcount == 8192/
{
	printf("%s at %d, %d bytes of %d, device %d, rest %d, error %d\n", probename,
	    args[0]->b_blkno, args[0]->b_bcount, args[0]->b_bufsize,
	    args[0]->b_edev == ($2 << 20 | $3), args[0]->b_resid, args[0]->b_error);
	printf("%s %d %d %d %d %s %s\n", args[0]->b_flags & B_WRITE ? "write" : "read",
	    args[0]->b_lblkno == args[0]->b_blkno, args[1]->dev_major == $2,
	    args[1]->dev_minor == $3, args[1]->dev_instance == $3, args[1]->dev_name,
	    args[1]->dev_pathname);
}
/* The memory is a page of the kernel, and who is told of the end is a function. */
io:::start /args[1]->dev_statname == $$1 && args[0]->b_bcount == 8192/
{
	printf("page %d, end %a\n", args[0]->b_addr >= (caddr_t)0xffff800000000000,
	    (uint64_t)args[0]->b_iodone);
}
' $name $major $minor \
	-c "dd if=/dev/zero of=$E2E_DISK bs=8k count=1 seek=5 oflag=direct status=none" |
	sed "s/\\b$name\\b/DISK/g; s/\`.*/\`.../" | grep .
