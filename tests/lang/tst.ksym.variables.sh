# needs: unshare mount
# Variables of the kernel by name.  Few kernels that one meets in tests name
# theirs, so this gives their names to a place whose contents are known: the
# start of the kernel's BTF (bytes 9f eb 01 00).
at=$(sed -n 's/ . __start_BTF$//p' /proc/kallsyms)
names='jiffies nr_threads linux_banner avenrun init_task untyped'
grep -vwE "${names// /|}" /proc/kallsyms > functions
cp functions all
for name in $names; do echo "$at D $name"; done >> all

# with SYMBOLS PROGRAM: run it where these are the kernel's symbols.
with() {
	unshare -m sh -c 'mount --bind "$0" /proc/kallsyms && $DTRACE -qn "$1"' \
		"$1" "$2" 2>&1
	echo "status $?"
}

with all 'BEGIN
{
	printf("%x\n", `jiffies & 0xffffffff);
	printf("%x %x\n", `nr_threads, vmlinux`nr_threads + 1);
	printf("%x\n", `avenrun[0] & 0xffff);
	printf("%d\n", strlen(`linux_banner));
	printf("%d\n", &`init_task.comm[2] == (char *)&`init_task +
	    offsetof(struct task_struct, comm) + 2);
	printf("%x\n", *(unsigned short *)&`untyped);
	printf("%d\n", (uintptr_t)&`untyped == 0x'$at' && &`untyped != 0);
	exit(0);
}'
with all 'BEGIN { trace(`untyped); exit(0); }'
with all 'BEGIN { trace(`absent); exit(0); }'
with functions 'BEGIN { trace(`nr_threads); exit(0); }'
# These have an answer all the same.
with functions 'BEGIN { trace(`jiffies > 0 && `avenrun[0] < 1 << 24); exit(0); }'
sed 's/^[0-9a-f]*/0000000000000000/' functions > hidden
# (A function's is the kernel's to hide, which this one does not.)
with hidden 'BEGIN { trace(&`_stext); exit(0); }'
