/** Returns this machine’s time in milliseconds. A server has its own clock; only `captured_at` is on the machine’s. */
export function systemNow(): number {
  return Date.now();
}
