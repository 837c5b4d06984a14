stacks:plain


 {14}stacks`demo::leaf(\+0x[0-9a-f]+)?
 {14}stacks`outer::inner\(int\)\+0x[0-9a-f]+
 {14}stacks`outermost\+0x[0-9a-f]+
 {14}stacks`(main|run)\+0x[0-9a-f]+
 {16}1
stacks-fixed:plain


 {14}stacks-fixed`demo::leaf(\+0x[0-9a-f]+)?
 {14}stacks-fixed`outer::inner\(int\)\+0x[0-9a-f]+
 {14}stacks-fixed`outermost\+0x[0-9a-f]+
 {14}stacks-fixed`(main|run)\+0x[0-9a-f]+
 {16}1
stacks:library


 {14}libstacks_library.so`library_inside(\+0x[0-9a-f]+)?
 {14}libstacks_library.so`library_entry\+0x[0-9a-f]+
 {14}stacks`(main|run)\+0x[0-9a-f]+
...
stacks:fork


 {14}stacks`demo::leaf(\+0x[0-9a-f]+)?
 {14}stacks`outer::inner\(int\)\+0x[0-9a-f]+
 {14}stacks`outermost\+0x[0-9a-f]+
 {14}stacks`\w+\+0x[0-9a-f]+
 {16}1
