/* A translator makes a struct. */
translator int < int i > {
};
