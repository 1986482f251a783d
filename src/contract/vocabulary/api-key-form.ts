/** What an API key looks like: its prefix, then characters that are safe in a header. Specification: Authentication. */
export const API_KEY_FORM = /^svc_(?:live|test)_[A-Za-z0-9_-]{1,200}$/;
