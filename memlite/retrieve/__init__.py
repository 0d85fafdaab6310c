"""From a question to ranked exchanges: analyse, routes, fuse, assemble."""
