/* Int and char exclude each other. */
int char x;
