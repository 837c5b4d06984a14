started
seen


 {14}stacked`demo::leaf\+0x[0-9a-f]+
 {14}stacked`outer::inner\(int\)\+0x[0-9a-f]+
 {14}stacked`outermost\+0x[0-9a-f]+
 {14}\[by frame pointer\]
 {16}1
