import "import_self" --! Import cycle
