struct task_struct \{
...
    struct list_head tasks = \{
        struct list_head \* next = 0xffff[0-9a-f]{12}
        struct list_head \* prev = 0xffff[0-9a-f]{12}
    \}
...
    char \[16\] comm = \[ "dtrace" \]
...
\}

