CPU     ID                    FUNCTION:NAME
 +\d+ +1 +:BEGIN 
 {14}vmlinux`\w[\w.]*(\+0x[1-9a-f][0-9a-f]*)?
 {14}vmlinux`\w[\w.]*(\+0x[1-9a-f][0-9a-f]*)?
...


