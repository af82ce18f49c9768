module type S = { val x : t } --! Unknown type "t"
