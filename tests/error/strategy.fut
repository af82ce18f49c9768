def f (x: f64) = x * x
entry named (x: f64) = #[strategy(forward)] vjp f x 1
entry absent (x: f64) = #[strategy(sideways)] vjp f x 1 --! no such strategy
entry empty (x: f64) = #[strategy] vjp f x 1 --! no such strategy
