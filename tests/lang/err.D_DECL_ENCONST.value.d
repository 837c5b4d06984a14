/* An enumerator is constant. */
enum e { A = pid };
