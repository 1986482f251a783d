/** Sets the modes of what tests and their processes create, independently of the shell that runs them. */
process.umask(0o022);
