/* An enumerator fits an int. */
enum e { A = 0x7fffffff, B };
