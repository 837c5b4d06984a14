/* There is no long char. */
long char x;
