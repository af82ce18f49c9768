module m : { type t } = { } --! does not define a type named "t"
