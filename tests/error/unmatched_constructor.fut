def f (x: #a i32 | #b) = match x case #a y -> y --! Unmatched cases in match expression:   #b
