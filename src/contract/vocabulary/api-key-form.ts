/** The format of an API key: its prefix, then characters that are valid in a header. Specification: Authentication. */
export const API_KEY_FORM = /^svc_(?:live|test)_[A-Za-z0-9_-]{1,200}$/;
