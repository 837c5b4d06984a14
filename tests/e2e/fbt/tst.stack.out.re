entry
entry 1
entry called by vmlinux`ksys_read
return
return 1
return called by vmlinux`(do_syscall_64|__arm64_sys_read)
vmlinux`(do_syscall_64|__arm64_sys_read)
vmlinux`ksys_read
vmlinux`vfs_read
