/** The modes of what tests and their processes create do not depend on the shell that runs them. */
process.umask(0o022);
