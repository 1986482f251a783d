import { readdirSync, readFileSync } from 'node:fs';

/** Measures the resident memory of a process and its children. Linux only. */

const PAGE_BYTES = 4_096;
const LOOK_MS = 20;

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/stat`).split(') ').pop()?.split(' ')[1] === String(pid))
    .map(Number);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // The process has ended meanwhile.
    return '';
  }
}

function residentOf(pid: number): number {
  return Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * PAGE_BYTES;
}

/** Returns the bytes that a process and its children occupy now. */
export function memoryOf(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((total, each) => total + residentOf(each), 0);
}

/** Returns the most bytes that a process and its present children have occupied, each at its own peak. */
export function peakMemoryOf(pid: number): number {
  const kilobytes = (each: number) => Number(/^VmHWM:\s+(\d+)/m.exec(read(`/proc/${each}/status`))?.[1] ?? 0);
  return [pid, ...childrenOf(pid)].reduce((total, each) => total + kilobytes(each) * 1_024, 0);
}

export { childrenOf };

/** Watches the memory of a process and its children until `stop`, which returns the maximum in bytes. */
export function watchMemory(pid: number): { stop(): number } {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(pid));
  }, LOOK_MS);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}
