/* What cannot be taken back cannot be speculated. */
BEGIN { speculate(1); system("ls"); }
