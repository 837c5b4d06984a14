

 {14}perf-\d+.map`jitted_code\+0x(b|10)
 {14}stacks`jit\+0x[0-9a-f]+
  stacks {44} +1
