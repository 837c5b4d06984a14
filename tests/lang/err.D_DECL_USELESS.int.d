/* Nothing is declared. */
int;
