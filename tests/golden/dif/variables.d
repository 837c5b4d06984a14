string s; self int depth;
BEGIN { x = 1; self->depth++; this->t = timestamp; s = execname; s = "abc"; self->name = s; }
