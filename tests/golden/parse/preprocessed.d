# 1 "/usr/include/thing.h"
typedef int thing_t;
int x y;
# 2 "preprocessed.d"
BEGIN { x = ; }
