import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { hasProc } from '../../system.js';
import { isAlive } from './process-identity.js';
import { pause } from './write-stdout.js';

/** Watches the program that started this process, through the shells and package runners in between. */

const LOOK_EVERY_MS = 250;

const SHELLS = /^(?:sh|ash|dash|bash|zsh|fish)$/;
const RUNNERS = /^(?:npm|npx|pnpm|pnpx|yarn|yarnpkg|bun|bunx|corepack)$/;

interface ProcessInfo {
  parent: number;
  /** The words of its command line; a process that has set its title has one. */
  words: string[];
}

/** Resolves when the program that started this process ends, or a runner in between, or with the signal. */
export async function untilParentEnds(signal: AbortSignal): Promise<void> {
  const [parent, ...ancestors] = processesToWatch();
  // The system gives a process another parent when its own has ended.
  while (!signal.aborted && process.ppid === parent && ancestors.every(isAlive)) await pause(LOOK_EVERY_MS, signal);
}

/** Returns this process's parent and, if that only runs commands for another process, that one's as well. */
function processesToWatch(): number[] {
  const watched = [process.ppid];
  for (let pid = process.ppid; pid > 1; ) {
    const found = infoOf(pid);
    if (!found || !runsCommands(found.words) || found.parent < 1) break;
    pid = found.parent;
    watched.push(pid);
  }
  return watched;
}

/** Returns whether a process is a shell with one command, such as `sh -c`, or a package runner such as `npx`. */
export function runsCommands(words: readonly string[]): boolean {
  const [program = '', second = ''] = words.length === 1 ? (words[0] ?? '').split(' ') : words;
  const name = basename(program).replace(/^-/, '');
  if (SHELLS.test(name)) return /^-[a-z]*c$/.test(second);
  const script = /^node/.test(name) ? basename(second) : name;
  return RUNNERS.test(script.replace(/\.[cm]?js$/, '').replace(/-cli$/, ''));
}

/** Returns the parent and the command line of a process; undefined where the system does not report them. */
function infoOf(pid: number): ProcessInfo | undefined {
  try {
    return hasProc() ? fromProc(pid) : fromPs(pid);
  } catch {
    return undefined;
  }
}

function fromProc(pid: number): ProcessInfo {
  const [, parent = ''] = /^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return { parent: Number(parent), words: words.filter((word) => word !== '') };
}

function fromPs(pid: number): ProcessInfo {
  const line = execFileSync('ps', ['-o', 'ppid=', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  const [parent = '', ...words] = line.trim().split(/\s+/);
  return { parent: Number(parent), words };
}
