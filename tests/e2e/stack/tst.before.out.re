started
seen


 {14}stacks`demo::leaf\+0x[0-9a-f]+
 {14}stacks`outer::inner\(int\)\+0x[0-9a-f]+
 {14}stacks`outermost\+0x[0-9a-f]+
 {14}\[by frame pointer\]
 {16}1

 {14}stacks`demo::leaf\+0x[0-9a-f]+
 {14}stacks`outer::inner\(int\)\+0x[0-9a-f]+


 {14}stacks`demo::leaf
 {14}stacks`outer::inner\(int\)\+0x[0-9a-f]+
 {14}stacks`outermost\+0x[0-9a-f]+

