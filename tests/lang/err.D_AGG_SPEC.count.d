/* An aggregation cannot be speculated. */
BEGIN { speculate(1); @ = count(); }
