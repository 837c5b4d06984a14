# needs: gcc
# In another root on another file system, as a container has, programs that end at once have
# their own names, and not those of what we have under the same path.
gcc -static -DNAME=theirs -o theirs "$HERE/rooted.c"
gcc -static -DNAME=ours -o rooted "$HERE/rooted.c"
mkdir other
cat >run <<END
mount -t tmpfs none other
mkdir -p "other$PWD"
cp theirs "other$PWD/rooted"
./rooted other "$PWD/rooted" 20
END
"$DTRACE" -qn 'syscall::write:entry /progenyof($target) && (int)arg0 == -1/ {
	@[ustack()] = count(); }' -c 'unshare -m sh run' >out
grep -o 'rooted`[a-z]*s$\|rooted`[a-z]*s+' out | tr -d + | sort | uniq -c
