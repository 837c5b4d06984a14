# A disk that is reached on two ways (NVMe): of each way requests and bytes are those of its
# own books; of the disk what was asked of it, each once, also while the ways are lost in
# turns: what was on its way there is done, with nothing moved, and starts on the other.
# timeout: 120
[ "$E2E_DISK" ] || { echo "no machine of its own"; exit 77; }
load nvme || { echo "no NVMe"; exit 77; }
for ((i = 0; i < tries; i++)); do
	disk=$(ls /sys/block | grep -m1 '^nvme[0-9]*n1$')
	ways=($(ls /sys/block | grep '^nvme[0-9]*c[0-9]*n1$'))
	[ -b "/dev/$disk" ] && [ ${#ways[@]} = 2 ] && break
	sleep 0.1
done
[ -b "/dev/$disk" ] && [ ${#ways[@]} = 2 ] || { echo "no NVMe disk with two ways"; exit 77; }
echo round-robin | tee /sys/class/nvme-subsystem/*/iopolicy >/dev/null
cat >script <<'SCRIPT'
#pragma D option quiet
io:::start /strstr(args[1]->dev_statname, "nvme") != NULL/
{
	size[arg0] = args[0]->b_bcount + 1;
	at[arg0] = args[0]->b_blkno;
	dev[arg0] = args[1]->dev_statname;
	@left[dev[arg0]] = sum(1);
}
io:::start /args[1]->dev_statname == $$1 &&
    (args[1]->dev_name != $$1 || args[1]->dev_pathname != strjoin("/dev/", $$1))/
{ printf("%s is %s, %s\n", $$1, args[1]->dev_name, args[1]->dev_pathname); }
io:::done /size[arg0] && (dev[arg0] != args[1]->dev_statname ||
    args[0]->b_bcount + 1 != size[arg0] && args[0]->b_bcount != 0 ||
    args[0]->b_bcount + 1 == size[arg0] && args[0]->b_blkno != at[arg0])/
{
	printf("%s: not what has started: %d of %d at %d\n", args[1]->dev_statname,
	    args[0]->b_bcount, size[arg0] - 1, at[arg0]);
}
io:::done /size[arg0]/
{
	@n[args[1]->dev_statname, args[0]->b_flags & B_READ ? "read" : "write"] = count();
	@bytes[args[1]->dev_statname, args[0]->b_flags & B_READ ? "read" : "write"] =
	    sum(args[0]->b_bcount);
	@errors[args[1]->dev_statname, args[0]->b_error] = count();
	@left[dev[arg0]] = sum(-1);
	@lost[args[0]->b_bcount == 0 && size[arg0] != 1 ? "lost" : "kept"] = count();
	size[arg0] = 0;
}
END
{
	printa("%s %s %@d %@d\n", @n, @bytes);
	printa("not done %s %@d\n", @left);
	printa("errno %s %d\n", @errors);
	printa("%s %@d\n", @lost);
}
SCRIPT
cat >work <<'END'
read() { dd of=/dev/null iflag=direct status=none "$@" || echo "cannot be read"; }
write() { dd if=/dev/zero oflag=direct status=none "$@" || echo "cannot be written"; }
eval "$1"
END
books() {
	awk 'FNR == NR { n[$3] = $4; r[$3] = $6; m[$3] = $8; w[$3] = $10; next }
		$3 !~ /^nvme/ { next }
		$4 > n[$3] { print $3, "read", $4 - n[$3], 512 * ($6 - r[$3]) }
		$8 > m[$3] { print $3, "write", $8 - m[$3], 512 * ($10 - w[$3]) }' before after
}
# Of the disk itself Linux 6.1 keeps none, and others count what it cuts up; so what is asked is
# told by itself.
same() {
	echo "$1:"
	cat /proc/diskstats >before
	"$DTRACE" -s script $disk -c "bash work '$2'" >out 2>err || cat err
	cat /proc/diskstats >after
	grep "^$disk" out | sed "s/^$disk/DISK/" | sort
	grep -E "^($a|$b) (read|write)" out | sort >ours
	books | grep -E "^($a|$b) " | sort | diff - ours && grep -q "^$a" ours &&
		grep -q "^$b" ours && echo "both ways as their books"
	grep -vE "^($|$disk |$a |$b |lost|kept)" out | sort | sed "s/$disk/DISK/; s/$a/A/; s/$b/B/"
	cat err
}
a=${ways[0]} b=${ways[1]}
same "in turns" "read if=/dev/$disk bs=64k count=10; write of=/dev/$disk bs=32k count=10"
same "without data" "dd if=/dev/zero of=/dev/$disk bs=32k count=4 oflag=direct conv=fsync status=none"
same "through the cache" "dd if=/dev/zero of=/dev/$disk bs=4k count=1000 conv=fsync status=none
	echo 3 >/proc/sys/vm/drop_caches; dd if=/dev/$disk of=/dev/null bs=4k count=1000 status=none" |
	sed 's/^\(DISK [a-z]*\) .*/\1/'	# as many as the kernel makes of it
# A way whose controller the machine no longer sees: what is asked there stays, until a reset
# finds it dead and takes it away.
cat >lose.sh <<'END'
for way in nvme0 nvme1; do
	printf '\0\0' | dd of=/sys/class/nvme/$way/device/config bs=2 seek=2 conv=notrunc status=none
	for i in 1 2 3 4; do
		dd if=/dev/$1 of=/dev/null bs=1M count=5 iflag=direct status=none &
	done
	sleep 0.5
	echo 1 >/sys/class/nvme/$way/reset_controller
	wait
done
END
same "while ways are lost" "bash lose.sh $disk"
awk '$1 == "lost" { print ($2 >= 2), "requests were lost, and read" }' out
