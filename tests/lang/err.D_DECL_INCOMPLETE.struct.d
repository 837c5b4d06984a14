/* A struct that nobody defines. */
struct nosuch x;
