/** Returns whether a host is `localhost` or a loopback address, with or without the brackets of a URL. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || /^\[?::1\]?$/.test(host) || /^127(?:\.\d+){3}$/.test(host);
}
