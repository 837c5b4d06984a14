mangled

 stacks`_RNvC4demo4leaf\+0x[0-9a-f]+
 stacks`_ZN5outer5innerEi\+0x[0-9a-f]+
  stacks {44}  vmlinux {43}
noresolve

 0x[0-9a-f]+
 0x[0-9a-f]+
  0x[0-9a-f]+ +vmlinux {43}
stacksymbols=off

 0x[0-9a-f]+
 0x[0-9a-f]+
  stacks {44}  vmlinux {43}
