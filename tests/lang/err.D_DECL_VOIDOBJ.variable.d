/* Nothing has type void. */
void x;
