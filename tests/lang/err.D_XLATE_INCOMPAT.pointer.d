/* An int is no pointer. */
struct out { char *p; };
translator struct out < int i > { p = i; };
