# Subroutines on text give what a model says that they must.
python3 "$HERE/../textmodel.py" "$(times 500)" >said && echo all do || cat said
