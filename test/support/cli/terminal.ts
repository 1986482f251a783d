import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A real terminal: tmux, in a server of its own. */

export interface Terminal {
  /** What is on the screen. */
  screen(): Promise<string>;
  /** What is on the screen, with the codes of its colours. */
  styled(): Promise<string>;
  /** Resolves with the screen once it fits. @throws Error with the screen when it never does. */
  until(fits: RegExp | ((screen: string) => boolean)): Promise<string>;
  /** Presses keys, by tmux's names of them. */
  press(...keys: string[]): Promise<void>;
  /** Pastes a text, as a terminal does for a program that wants to know what is pasted. */
  paste(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** Writes over the screen and reads keys line by line, as a shell does while the program is stopped. */
  scribble(): Promise<void>;
  /** Sends a signal to the program, not to the terminal. */
  signal(name: NodeJS.Signals): Promise<void>;
  close(): Promise<void>;
}

/** Looks that are taken before it is given up; each is a process of its own, so they take their time. */
const LOOKS = 3_000;

export async function openTerminal(
  command: string[],
  { columns = 100, rows = 24, env = {} }: { columns?: number; rows?: number; env?: Record<string, string> } = {},
): Promise<Terminal> {
  const name = `svc-test-${randomUUID()}`;
  const tmux = async (...args: string[]) => (await run('tmux', ['-L', name, '-f', '/dev/null', ...args])).stdout;
  const settings = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  // tmux does not tell a program's exit code, so a shell prints it, on the screen that the program gives back.
  const line = ['env', '-u', 'CI', ...settings, ...command].map((word) => `'${word}'`).join(' ');
  // ^C goes to the shell as well, which is to outlive the program.
  const script = `trap : INT; echo before; ${line}; echo "ended with $?"; cat`;
  await tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), 'sh', '-c', script);
  const screen = () => tmux('capture-pane', '-p');
  return {
    screen,
    styled: () => tmux('capture-pane', '-p', '-e'),
    async until(fits) {
      let last = '';
      for (let look = 0; look < LOOKS; look += 1) {
        last = await screen();
        if (fits instanceof RegExp ? fits.test(last) : fits(last)) return last;
      }
      throw new Error(`the screen never fitted ${fits}:\n${last}`);
    },
    async press(...keys) {
      await tmux('send-keys', ...keys);
    },
    async paste(text) {
      await tmux('set-buffer', '--', text);
      await tmux('paste-buffer', '-p');
    },
    async resize(width, height) {
      await tmux('resize-window', '-x', String(width), '-y', String(height));
    },
    async scribble() {
      const tty = (await tmux('display-message', '-p', '#{pane_tty}')).trim();
      await run('sh', ['-c', `printf '\\033[2J\\033[Hscribbled' > '${tty}'; stty sane < '${tty}'`]);
    },
    async signal(signalName) {
      const shell = (await tmux('display-message', '-p', '#{pane_pid}')).trim();
      const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', shell]);
      process.kill(Number(stdout.trim()), signalName);
    },
    async close() {
      await tmux('kill-server');
    },
  };
}
