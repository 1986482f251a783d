/** This machine's time in milliseconds, where no server is there whose clock would count. */
export function systemNow(): number {
  return Date.now();
}
