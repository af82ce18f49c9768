type t = i32 -> i32 --! Non-lifted type abbreviations may not contain functions
