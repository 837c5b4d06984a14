typedef int x;
int x;
