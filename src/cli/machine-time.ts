/** This machine's time in milliseconds, where no server is there whose clock would count. */
export function machineNow(): number {
  return Date.now();
}
