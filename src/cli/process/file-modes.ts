/** The mode of files that may hold email or keys. */
export const OWNER_ONLY = 0o600;

/** The mode of directories for their owner alone. */
export const PRIVATE = 0o700;
