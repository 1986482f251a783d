/** Returns this machine's time in milliseconds, for use without a server, whose clock would be used instead. */
export function systemNow(): number {
  return Date.now();
}
