# To start with probes of io and of files does not wait for the table of all the kernel's
# symbols, which takes it 50 ms to write: the few that their arguments need are asked for
# by name, and found where that table has them.
table=/proc/kallsyms
grep -qw bpf_kallsyms_lookup_name $table || { echo "no kernel to ask"; exit 77; }
"$DTRACE" -qn 'syscall::openat:entry /pid == $target/ { @[copyinstr(arg1)] = count(); }' \
	-c "$DTRACE -qn 'io:::start { @[args[2]->fi_pathname] = count(); }
	fsinfo:::read { @[args[0]->fi_name] = count(); } BEGIN { exit(0); }'" >opened
grep -c /sys/kernel/btf/vmlinux opened
grep -c $table opened
at=$("$DTRACE" -qn 'BEGIN { printf("%x\n", (uintptr_t)&`bio_chain_endio); exit(0); }')
grep "^$at " $table | cut -d ' ' -f 3
