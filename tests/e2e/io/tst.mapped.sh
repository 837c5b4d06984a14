# A device that is made of others (device mapper) has no requests of its own: those that it
# makes of what it is asked are of the disks, where each lies there.  Bytes and requests are
# those of the disk's books.
# timeout: 60
[ "$E2E_DISK" ] || { echo "no disk of its own"; exit 77; }
[ -e /dev/mapper/control ] || { echo "no device mapper"; exit 77; }
command -v dmsetup >/dev/null || { echo "no dmsetup"; exit 77; }
export DM_DISABLE_UDEV=1
# Stripes of 16 sectors, in turns from two places of the disk.
dmsetup create mapped --table "0 65536 striped 2 16 $E2E_DISK 8192 $E2E_DISK 131072"
books() { awk -v disk=${E2E_DISK#/dev/} '$3 == disk { print $4, $6 }' /proc/diskstats; }
before=$(books)
"$DTRACE" -qn '
io:::start, io:::done /args[0]->b_bcount/ { printf("%-5s %s %d %d\n", probename,
	args[1]->dev_statname, args[0]->b_blkno, args[0]->b_bcount);
	@n[probename] = sum(1); @bytes[probename] = sum(args[0]->b_bcount); }
END { printa("books %s %@d\n", @n); printa("books %s %@d\n", @bytes); }' \
	-c "dd if=/dev/mapper/mapped of=/dev/null bs=32k skip=1 count=2 iflag=direct status=none" >out
after=$(books)
# Requests that follow one another may have become one.
grep -v books out | sed "s/${E2E_DISK#/dev/}/DISK/" | awk 'NF {
	for (n = 0; n < $4; n += 8192) print $1, $2, $3 + n / 512 }' | sort -k1,1 -k3,3n
set -- $before $after
grep -o 'books [a-z]* [0-9]*' out | awk -v n=$(($3 - $1)) -v bytes=$((512 * ($4 - $2))) '
	{ print $2, ($3 == n || $3 == bytes ? "as in the books" : $3 " " n " " bytes) }' | sort
dmsetup remove mapped
