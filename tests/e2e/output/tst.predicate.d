/* flags: -q */
int x;
BEGIN /0/ { printf("never\n"); }
BEGIN /1 / 2/ { printf("never\n"); }
BEGIN /4 / 2/ { printf("division in a predicate\n"); }
BEGIN /x == 0/ { printf("unset is zero\n"); }
BEGIN { exit(0); }
