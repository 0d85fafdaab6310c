"""How fast memlite is and how much memory and disk it takes, on stores of generated conversations."""
