import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { BINARY } from '../binary.js';
import { openTerminal, type Terminal } from './terminal.js';

/** Provides a user's shell, with `svc` on its path and a start-up file. */

export type ShellName = 'bash' | 'zsh' | 'fish';

/**
 * Returns an environment with `svc` on the path and a start-up file of these lines. The files of this machine's user
 * are not read.
 */
export function shellEnvironment(home: string, startUp: string): Record<string, string> {
  const bin = join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(home, '.config/fish'), { recursive: true });
  const command = `#!/bin/sh\nexec "${process.execPath}" "${BINARY}" "$@"\n`;
  // A shell that is still starting the command keeps its file from being written, but not from being replaced.
  writeFileSync(join(bin, 'svc.new'), command, { mode: 0o755 });
  renameSync(join(bin, 'svc.new'), join(bin, 'svc'));
  for (const file of ['.bashrc', '.zshrc', '.config/fish/config.fish']) writeFileSync(join(home, file), `${startUp}\n`);
  return {
    HOME: home,
    ZDOTDIR: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    PATH: `${bin}${delimiter}${process.env.PATH}`,
  };
}

/** Opens the shell on a terminal in the directory `home`, and waits for its prompt. */
export async function openShell(
  shell: ShellName,
  home: string,
  env: Record<string, string>,
  { columns = 120 }: { columns?: number } = {},
): Promise<Terminal> {
  const command = shell === 'bash' ? ['bash', '--rcfile', join(home, '.bashrc'), '-i'] : [shell, '-i'];
  const terminal = await openTerminal(['env', '-C', home, ...command], { env, columns });
  await terminal.until(/^ready> *$/m);
  return terminal;
}
