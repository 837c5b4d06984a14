CPU FUNCTION                                 
 +\d+  \| :BEGIN                                 k 5
 +\d+  \| :BEGIN                                 

