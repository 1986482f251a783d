/** Sets the umask, so that the modes of files do not depend on the shell that runs the tests. */
process.umask(0o022);
