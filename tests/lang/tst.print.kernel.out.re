struct task_struct \* 0xffff[0-9a-f]{12}
char \[16\] "dtrace"
struct list_head \{
    struct list_head \* next = 0xffff[0-9a-f]{12}
    struct list_head \* prev = 0xffff[0-9a-f]{12}
\}
unsigned int 0

