# Devices whose drivers serve bios themselves: the device mapper's, one of which can not be
# read in a place, and a mirror (md) of two of them.  Bytes, ios and pairs are those of the
# books of each device and of the disk below; each is told once, as what it is.
# timeout: 60
[ "$E2E_DISK" ] || { echo "no disk of its own"; exit 77; }
[ -e /dev/mapper/control ] || { echo "no device mapper"; exit 77; }
command -v dmsetup >/dev/null || { echo "no dmsetup"; exit 77; }
[ -e /sys/module/md_mod/parameters/new_array ] || { echo "no md"; exit 77; }
export DM_DISABLE_UDEV=1
number() { dmsetup info -c --noheadings -o minor $1; }
major() { dmsetup info -c --noheadings -o major $1; }
dmsetup create left --table "0 65536 linear $E2E_DISK 8192"
dmsetup create right --table "0 65536 linear $E2E_DISK 131072"
dmsetup create bad --table "0 8192 linear $E2E_DISK 8192
8192 8 error"
# From two places in turns: who asks asks once, and the books count the stripes.
dmsetup create striped --table "0 65536 striped 2 16 $E2E_DISK 8192 $E2E_DISK 131072"
echo md_mirror >/sys/module/md_mod/parameters/new_array
md=/sys/block/md_mirror/md
echo none >$md/metadata_version
echo raid1 >$md/level
echo 2 >$md/raid_disks
slot=0
for part in left right; do
	echo $(major $part):$(number $part) >$md/new_dev
	echo $((slot++)) >$md/dev-dm-$(number $part)/slot
done
echo 32768 >$md/component_size
echo none >$md/resync_start
echo active >$md/array_state
cat >script <<'END'
#pragma D option quiet
io:::start { size[arg0] = args[0]->b_bcount; at[arg0] = args[0]->b_blkno; }
io:::start { dev[arg0] = args[1]->dev_statname; started[args[1]->dev_statname]++; }
io:::done { ended[args[1]->dev_statname]++; }
io:::done /size[arg0] != args[0]->b_bcount || at[arg0] != args[0]->b_blkno ||
    dev[arg0] != args[1]->dev_statname/
{ printf("%s: not what has started\n", args[1]->dev_statname); }
io:::done
{
	@n[args[1]->dev_statname, args[0]->b_flags & B_READ ? "read" : "write"] = count();
	@bytes[args[1]->dev_statname, args[0]->b_flags & B_READ ? "read" : "write"] =
	    sum(args[0]->b_bcount);
}
io:::done /args[0]->b_error/
{ @failed[args[1]->dev_statname, args[0]->b_error, args[0]->b_blkno] = sum(args[0]->b_resid); }
END { printa("%s %s %@d %@d\n", @n, @bytes); printa("failed %s %d %d %@d\n", @failed); }
END
cat >work <<'END'
read() { dd of=/dev/null iflag=direct status=none "$@"; }
write() { dd if=/dev/zero status=none "$@"; }
read if=/dev/mapper/left bs=4M count=2
write of=/dev/mapper/right bs=64k count=3 oflag=direct
write of=/dev/mapper/right bs=4k count=20 conv=fsync
read if=/dev/mapper/bad bs=4k skip=1023 count=2
read if=/dev/mapper/striped bs=32k skip=1 count=2
write of=/dev/md_mirror bs=64k count=4 oflag=direct
read if=/dev/md_mirror bs=64k count=4
END
named() {
	sed "/^$/d; s/\b${E2E_DISK#/dev/}\b/DISK/; s/\bdm-$(number left)\b/left/
		s/\bdm-$(number right)\b/right/; s/\bdm-$(number bad)\b/bad/
		s/\bdm-$(number striped)\b/striped/" | sort
}
books() {
	awk 'FNR == NR { n[$3] = $4; r[$3] = $6; m[$3] = $8; w[$3] = $10; next }
		$4 > n[$3] { print $3, "read", $4 - n[$3], 512 * ($6 - r[$3]) }
		$8 > m[$3] { print $3, "write", $8 - m[$3], 512 * ($10 - w[$3]) }' before after
}
cat /proc/diskstats >before
"$DTRACE" -s script -c 'bash work' >out 2>err || cat err
cat /proc/diskstats >after
named <out >ours
books | named | diff - ours | grep '^[<>]'
for device in DISK left right md_mirror; do grep -q "^$device" ours || echo "no $device"; done
echo inactive >$md/array_state 2>/dev/null
echo clear >$md/array_state
dmsetup remove left right bad striped
