enum fine { SMALLEST = -2147483648 };
enum e { toosmall = -2147483649 };
