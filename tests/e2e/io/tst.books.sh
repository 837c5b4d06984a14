# Requests and bytes are those of the kernel's own books, /proc/diskstats: past the
# page cache and through it, to a disk and to a file; merged and split; and each that is
# done had started.
# timeout: 120
[ "$E2E_DISK" ] || { echo "no disk of its own"; exit 77; }
name=${E2E_DISK#/dev/}
cat >script <<'SCRIPT'
#pragma D option quiet
io:::start /args[1]->dev_statname == $$1/
{
	size[arg0] = args[0]->b_bcount + 1;
	nstarted++;
}
io:::done /args[1]->dev_statname == $$1 && size[arg0] != args[0]->b_bcount + 1/
{ printf("%d bytes, and %d at start\n", args[0]->b_bcount, size[arg0] - 1); }
io:::done /args[1]->dev_statname == $$1/ { ndone++; size[arg0] = 0; }
io:::done /args[1]->dev_statname == $$1 && args[0]->b_flags & B_READ/
{ nr++; r += args[0]->b_bcount; }
io:::done /args[1]->dev_statname == $$1 && args[0]->b_flags & B_WRITE/
{ nw++; w += args[0]->b_bcount; }
END
{
	printf("%d %d %d %d\n", nr, r / 512, nw, w / 512);
	printf("%d have not ended\n", nstarted - ndone);
}
SCRIPT
cat >work <<'END'
books() { awk -v d=$name '$3 == d { print $4, $6, $8, $10, $5 + $9 }' /proc/diskstats; }
before=$(books)
eval "$1"
sleep 0.2
echo $before $(books) | awk '{
	print $6 - $1, $7 - $2, $8 - $3, $9 - $4 >"books"
	print ($10 > $5 ? "merged" : "not merged") >"merged"
}'
END
same() {
	echo "$1:"
	name=$name D=$E2E_DISK "$DTRACE" -s script $name -c "bash work '$2'" >out 2>err ||
		cat err
	head -1 out | diff - books && echo same
	tail -n +2 out
}
for scheduler in none mq-deadline; do
	# Kernels for clouds have none.
	grep -qw $scheduler /sys/block/$name/queue/scheduler &&
		echo $scheduler >/sys/block/$name/queue/scheduler
	same "write past the cache" \
		'dd if=/dev/zero of=$D bs=64k count=16 oflag=direct conv=fsync status=none'
	same "write through the cache" \
		'dd if=/dev/zero of=$D bs=4k count=1000 conv=fsync status=none'
	echo 1024 >/sys/block/$name/queue/max_sectors_kb
	same "read past the cache, in pieces too large for the disk" \
		'dd if=$D of=/dev/null bs=4M count=2 iflag=direct status=none'
	awk '{ print ($1 > 2) ? "split" : "not split" }' books
	same "read through the cache" \
		'echo 3 >/proc/sys/vm/drop_caches; cat $D | head -c 3M >/dev/null'
done
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0,nodiscard $E2E_DISK
mkdir mnt
same "a file system" 'mount $D mnt
	dd if=/dev/zero of=mnt/a bs=64k count=20 oflag=direct conv=fsync status=none
	dd if=/dev/zero of=mnt/b bs=4k count=500 conv=fsync status=none
	rm mnt/a; sync; umount mnt'
cat merged
same "nothing" :
