def f x = nowhere.g x --! Unknown name "nowhere"
