one:
 {14}vmlinux`\S+
two:
 {14}vmlinux`\S+
 {14}vmlinux`\S+
three:
 {14}vmlinux`\S+
 {14}vmlinux`\S+
 {14}vmlinux`\S+

