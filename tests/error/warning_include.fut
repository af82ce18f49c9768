-- warning
module type S = { type t }
module type T = {
  type t
  include S --! Inclusion shadows type "t"
}
