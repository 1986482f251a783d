/** Returns this machine's time in milliseconds. Use it only without a server; a server has its own clock. */
export function systemNow(): number {
  return Date.now();
}
