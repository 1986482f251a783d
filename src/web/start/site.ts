/** Returns the path below which a proxy serves this server, such as `/mail`; empty for none. */
export function basePath(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=svc-base]')?.content ?? '';
}

/** Returns the server's URL, with its base path and without a slash at its end. */
export function siteUrl(): string {
  return location.origin + basePath();
}
