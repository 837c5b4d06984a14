/* There is no long float. */
long float x;
