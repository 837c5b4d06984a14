# A process whose / is another directory, as in a container; gone, and its file
# with it, when names are wanted.
mkdir inner
cp "${WORKLOAD%/*}/stacks-static" inner/stacked
chroot inner /stacked signal >ready &
old=$!
until_text ready ready
stack_before $old rm -r inner
