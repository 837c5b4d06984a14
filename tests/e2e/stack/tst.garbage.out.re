
 {14}stacks`garbage\+0x[0-9a-f]+
1 0

