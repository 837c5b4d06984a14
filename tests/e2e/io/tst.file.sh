# A file that is written and read past the page cache: requests of its size, of its
# name, each of them done with what it started with.
# needs: findmnt
here=$(findmnt -no FSTYPE -T .)
case $here in ext4|xfs) ;; *) echo "$here tells no file past its cache"; exit 77 ;; esac
[[ $(findmnt -no SOURCE -T .) = /dev/[^dmn]* ]] || { echo "no disk"; exit 77; }
cat >script <<'SCRIPT'
#pragma D option quiet
io:::start /args[2]->fi_pathname == $$1/
{
	@start[args[0]->b_flags & B_READ ? "read" : "write",
	    args[0]->b_flags & B_PHYS ? "memory" : "", args[2]->fi_name,
	    args[2]->fi_dirname, args[2]->fi_fs, args[1]->dev_statname] =
	    sum(args[0]->b_bcount);
	at[arg0] = args[0]->b_blkno;
	size[arg0] = args[0]->b_bcount;
	n++;
}
io:::done /size[arg0]/
{
	@done[args[0]->b_flags & B_READ ? "read" : "write", args[0]->b_error,
	    at[arg0] == args[0]->b_blkno, size[arg0] == args[0]->b_bcount] =
	    sum(args[0]->b_bcount);
	size[arg0] = 0;
	n--;
}
END
{
	printa("start %s %s %s %s %s %s %@d\n", @start);
	printa("done %s %d %d %d %@d\n", @done);
	printf("%d are not done\n", n);
}
SCRIPT
file=$PWD/file
# An interrupt tells that a request is done, while any thread may be on the CPU.  A sandbox's kernel
# runs no programs while that is one of its own, process 1: then what was not seen proves nothing.
first_ran() { cat /proc/1/task/*/schedstat | awk '{ n += $1 } END { print n }'; }
for try in {1..5}; do
	before=$(first_ran)
	"$DTRACE" -s script "$file" -c "bash -c '
		dd if=/dev/zero of=file bs=64k count=20 oflag=direct conv=fsync status=none
		dd if=file of=/dev/null bs=1M iflag=direct status=none'" >out
	grep -q '^0 are not done' out || [ "$(first_ran)" = "$before" ] || continue
	break
done
sort out | sed "s,$PWD,DIR,; s/ $here / FS /; s/ $(lsblk -ndo KNAME \
		$(findmnt -no SOURCE -T .)) / DEVICE /"
