
              \S+`\S+
once 1

              \S+`\S+
twice 2

