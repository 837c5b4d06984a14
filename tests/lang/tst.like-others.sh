# Descriptions as other tracing languages have them, and what D has instead.
for p in kprobe:vfs_read kretprobe:vfs_read fentry:vfs_read tracepoint:sched:sched_switch \
	uprobe:/bin/sh:main usdt:/bin/x:prov:probe interval:s:1 profile:hz:99 \
	software:page-faults:100 timer:1s nosuch:x syscall.read.entry sys_enter_openat \
	syscall::sys_read:return __x64_sys_openat:entry syscall::__x64_sys_read:; do
	"$DTRACE" -en "$p { }" 2>&1 | sed -n '1s/.*: //p; /^hint/p'
done
# Where it does match it means what it says.
"$DTRACE" -en profile:::tick-1 && echo fine
