
 {14}stacks-stripped`0x[0-9a-f]+
 {14}stacks-stripped`0x[0-9a-f]+

