
 {14}vmlinux`\S+
 {14}vmlinux`\S+
 {14}vmlinux`\S+
\d+ vmlinux`\S+

