BEGIN { trace(sizeof (struct D`task_struct)); }
