module m = intrinsics --! The 'intrinsics' module may not be used in module expressions
