stacks`stacks_set\+0x8\|stacks`stacks_set\|stacks
stacks`stacks_unset\|stacks`stacks_unset\|stacks
libc\.so\.6`_IO_2_1_stdout_\|libc\.so\.6`_IO_2_1_stdout_\|libc\.so\.6
0x7\w+\|0x7\w+\|0x7\w+

  libc\.so\.6 {39} +1
  0x7\w+ +1
  stacks {44} +2
stacks-fixed`stacks_set\+0x8\|stacks-fixed`stacks_set\|stacks-fixed
stacks-fixed`stacks_unset\|stacks-fixed`stacks_unset\|stacks-fixed
libc\.so\.6`_IO_2_1_stdout_\|libc\.so\.6`_IO_2_1_stdout_\|libc\.so\.6
0x7\w+\|0x7\w+\|0x7\w+

  libc\.so\.6 {39} +1
  0x7\w+ +1
  stacks-fixed {38} +2
stacks-stripped`0x\w+\|stacks-stripped`0x\w+\|stacks-stripped
stacks-stripped`0x\w+\|stacks-stripped`0x\w+\|stacks-stripped
libc\.so\.6`_IO_2_1_stdout_\|libc\.so\.6`_IO_2_1_stdout_\|libc\.so\.6
0x7\w+\|0x7\w+\|0x7\w+

  libc\.so\.6 {39} +1
  0x7\w+ +1
  stacks-stripped {35} +2
