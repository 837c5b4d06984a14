# The device is the partition that was asked, and where is within it.
# timeout: 60
[ "$E2E_DISK" ] || { echo "no disk of its own"; exit 77; }
table() {
	python3 - "$1" <<-'END'
	import os, struct, sys
	# One partition, of Linux, from sector 2048 on.
	one = struct.pack('<B3sB3sII', 0, b'', 0x83, b'', 2048, 100000)
	with open(sys.argv[1], 'r+b') as f:
	    f.write(bytes(446) + one + bytes(48) + b'\x55\xaa')
	    f.flush()
	    os.fsync(f)
	END
	blockdev --rereadpt $1
}
table $E2E_DISK
"$DTRACE" -qn 'io:::start, io:::done /args[0]->b_bcount/ {
	printf("%s: %s %s %d,%d %d %d %d\n", probename, args[1]->dev_statname,
	    args[1]->dev_pathname, args[1]->dev_major, args[1]->dev_minor,
	    args[0]->b_edev == (args[1]->dev_major << 20 | args[1]->dev_minor),
	    args[0]->b_blkno, args[0]->b_bcount); }' \
	-c "dd if=${E2E_DISK}1 of=/dev/null bs=4k skip=10 count=1 iflag=direct status=none" |
	sed "s/${E2E_DISK#/dev/}/DISK/g; s/$(stat -c '%Hr,%Lr' ${E2E_DISK}1)/NUMBER/"
blockdev --getss ${E2E_DISK}1
dd if=/dev/zero of=$E2E_DISK count=1 conv=fsync status=none
blockdev --rereadpt $E2E_DISK
