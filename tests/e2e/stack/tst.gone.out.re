 +1 
 +8   here {46}  here`outer::inner\(int\) {28}  here {46} +1
 +8   stacks {44}  stacks`outer::inner\(int\) {26}  stacks {44} +1
 +1 started
