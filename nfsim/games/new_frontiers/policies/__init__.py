"""Players: a policy is an integer kind and a vector of parameters, so a new preset recompiles nothing."""
