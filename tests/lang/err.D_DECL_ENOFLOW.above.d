/* A number that is no int, unless it is written as an unsigned one. */
enum mask { FINE = 0x80000000 };
enum e { toobig = 2147483648 };
