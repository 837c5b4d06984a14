0x3 1
vmlinux`\w[\w.]* 2

  vmlinux {43} +2
