/* Too much, and places that are not scratch of this clause. */
/* flags: -q -x scratchsize=8k */
BEGIN { alloca(8193); }
BEGIN { this->p = alloca(8192); printf("all of it\n"); }
BEGIN { this->p = alloca(8192); this->p = alloca(1); }
BEGIN { bcopy(curthread->comm, (void *)16, 8); }
BEGIN { bcopy((void *)8, alloca(8), 8); }
BEGIN { copyinto(24, 8, alloca(8)); }
BEGIN { copyinto(24, 8, (void *)32); }
BEGIN { this->q = (int *)40; *this->q = 1; }
BEGIN { g = (int *)alloca(4); *g = 5; printf("%d\n", *g); }
BEGIN { *g = 6; printf("never\n"); }
BEGIN { this->r = (char *)alloca(8); bcopy(this->r, alloca(8), 8); }
BEGIN { exit(0); }
