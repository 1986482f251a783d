/** The mode of files that can contain email or keys: only their owner can read and write them. */
export const OWNER_ONLY = 0o600;

/** The mode of directories that only their owner can access. */
export const PRIVATE = 0o700;
