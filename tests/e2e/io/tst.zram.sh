# Memory that is a disk (zram): ios and bytes are those of its own books, past the page cache
# and through it, of a file, and of memory that a process gives up and has again.
# timeout: 120
[ "$E2E_DISK" ] || { echo "no machine of its own"; exit 77; }
for module in lzo_rle zstd; do load $module; done	# what it may compress by
load zram || { echo "no zram"; exit 77; }
name=zram$(cat /sys/class/zram-control/hot_add)
echo 64M >/sys/block/$name/disksize || { echo "no way to compress"; exit 77; }
cat >script <<'SCRIPT'
#pragma D option quiet
io:::start /args[1]->dev_statname == $$1/
{
	size[arg0] = args[0]->b_bcount + 1;
	at[arg0] = args[0]->b_blkno;
	nstarted++;
}
io:::start /args[1]->dev_statname == $$1 && args[2]->fi_name != "<none>"/
{ @file[args[2]->fi_name, args[2]->fi_fs] = sum(args[0]->b_bcount); }
io:::done /args[1]->dev_statname == $$1 && (size[arg0] != args[0]->b_bcount + 1 ||
    at[arg0] != args[0]->b_blkno || args[0]->b_error || args[1]->dev_name != $$1)/
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
	printa("of %s, %s: %@d\n", @file);
}
SCRIPT
cat >work <<'END'
books() { awk -v d=$name '$3 == d { print $4, $6, $8, $10 }' /proc/diskstats; }
before=$(books)
eval "$1"
echo $before $(books) | awk '{ print $5 - $1, $6 - $2, $7 - $3, $8 - $4 >"books" }'
END
# Memory that nobody else has: written, given up, and read again.
cat >give-up.py <<'END'
import mmap
memory = mmap.mmap(-1, 64 * 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for i in range(64):
    memory[i * 4096:i * 4096 + 8] = (i + 1).to_bytes(8, 'little')
memory.madvise(21)	# MADV_PAGEOUT
print(all(memory[i * 4096] == i + 1 for i in range(64)))
END
# Up to Linux 6.2 the cache reads pages, and memory goes there, past all tracepoints.
grep -q ' bdev_read_page$' /proc/kallsyms && past=past
seen() {
	case $past$1 in
	pastreads) awk '{ print 0, 0, $3, $4 }' books ;;
	pastall) echo 0 0 0 0 ;;
	*) cat books ;;
	esac
}
same() {	# TITLE COMMANDS [WHAT]
	echo "$1:"
	name=$name D=/dev/$name "$DTRACE" -s script $name -c "bash work '$2'" >out 2>err || cat err
	seen $3 >should
	head -1 out | diff - should && [ "$(cat books)" != "0 0 0 0" ] && echo same
	tail -n +2 out
	cat err
}
same "past the cache" 'dd if=/dev/zero of=$D bs=64k count=3 oflag=direct status=none
	dd if=$D of=/dev/null bs=4M count=2 iflag=direct status=none'
same "through the cache" 'dd if=/dev/zero of=$D bs=4k count=100 conv=fsync status=none
	echo 3 >/proc/sys/vm/drop_caches; dd if=$D of=/dev/null bs=64k count=20 status=none' reads
mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0,nodiscard /dev/$name
mkdir mnt
mount -o no_prefetch_block_bitmaps /dev/$name mnt	# which may come at any time
same "a file" 'dd if=/dev/zero of=mnt/a bs=64k count=20 oflag=direct conv=fsync status=none'
umount mnt
mkswap -f /dev/$name >/dev/null 2>&1
swapon -p 100 /dev/$name
same "memory" 'python3 give-up.py >read' all
cat read
swapoff /dev/$name
echo 1 >/sys/block/$name/reset
echo ${name#zram} >/sys/class/zram-control/hot_remove
