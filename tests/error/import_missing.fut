import "no_such_file" --! Could not read file
