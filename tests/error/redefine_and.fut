def (&&) (x: bool) (y: bool) = x --! &&
