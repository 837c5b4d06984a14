
 {14}vmlinux`\S+
 is 2

  x {49}
 {14}vmlinux`\S+
 {14}vmlinux`\S+
        7                3
