open nowhere --! Unknown module "nowhere"
