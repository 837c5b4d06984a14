# Random aggregations print what a model says that they must.
python3 "$HERE/../aggmodel.py" "$(times 100)" >said && echo all do || cat said
