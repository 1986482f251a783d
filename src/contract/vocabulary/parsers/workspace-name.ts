/** The form of a workspace's name. */
export const WORKSPACE_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;
export const WORKSPACE_NAME_FORM = '1 to 63 lower-case letters, digits, dots, hyphens or underscores';
