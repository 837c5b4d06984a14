/* A member is translated once. */
struct out { int a; };
translator struct out < int i > { a = i; a = i + 1; };
