
 {14}stacks`with_fp\+0x[0-9a-f]+
1 0

