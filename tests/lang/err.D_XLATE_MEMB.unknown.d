/* The translator makes a member that is none. */
struct out { int a; };
translator struct out < int i > { b = i; };
