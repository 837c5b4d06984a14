# needs: gcc python3
# A package of debugging information that libdw cannot read is named, not one of the files
# that it was made of.
. "$HERE/package.sh"
reads_packages && { echo "libdw reads packages from 0.191 on"; exit 77; }
make_package 4 || exit 77
"$DTRACE" -qn 'syscall::write:entry /pid == $target/ { trace(((struct word *)arg1)->age); }' \
	-c ./words 2>&1 | sed -n "s|$PWD/||; s|$PWD/||; s/^hint: //p"
