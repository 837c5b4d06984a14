struct pair { float a; double b; long double c; };
BEGIN { trace(1.5); trace(2.25f); trace(0.1L); trace((pid, 0.5)); }
BEGIN { this->p = (struct pair *)arg0; trace(this->p->a); printf("%g %g", this->p->b, this->p->c); 1.5L; }
