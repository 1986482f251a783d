/** The mode of files that can contain email or keys. */
export const OWNER_ONLY = 0o600;

/** The mode of directories that only their owner can access. */
export const PRIVATE = 0o700;
