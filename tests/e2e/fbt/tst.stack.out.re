entry
entry 1
entry called by vmlinux`(ksys_read|__x64_sys_read|x64_sys_call)
return
return 1
return called by vmlinux`(do_syscall_64|__arm64_sys_read|__x64_sys_read|x64_sys_call)
... vmlinux`(do_syscall_64|__arm64_sys_read|ksys_read|__x64_sys_read|x64_sys_call)
vmlinux`vfs_read
... vmlinux`x64_sys_call
