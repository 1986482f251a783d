import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { type IPty, spawn } from '@lydell/node-pty';
import { bytesOf } from './keys.js';
import { Screen } from './screen.js';

const run = promisify(execFile);

/** A program on a pseudo-terminal. */
export interface Terminal {
  /** Returns the text on the screen. */
  screen(): string;
  /** Returns the text on the screen with its color codes. */
  styled(): string;
  /** Returns what the program copied to the clipboard last. */
  clipboard(): string;
  /** Resolves with the screen once it fits. @throws Error with the screen when it never does. */
  until(fits: RegExp | ((screen: string) => boolean)): Promise<string>;
  /** Presses keys: names of keys.ts, or text. */
  press(...keys: string[]): void;
  /** Types text literally, even where it is the name of a key. */
  type(text: string): void;
  /** Pastes text, marked as pasted if the program has requested that. */
  paste(text: string): void;
  resize(columns: number, rows: number): void;
  /** Writes over the screen and resets the terminal's modes, as a shell may do while the program is stopped. */
  scribble(): Promise<void>;
  /** Sends a signal to the program, not to the terminal. */
  signal(name: NodeJS.Signals): Promise<void>;
  /** Closes the terminal, which sends SIGHUP to its programs. */
  close(): Promise<void>;
}

export interface TerminalOptions {
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
  /**
   * Runs the program in tmux, and tmux on the pseudo-terminal, to check the emulator of these tests with another one.
   */
  inTmux?: boolean;
}

export async function openTerminal(command: string[], options: TerminalOptions = {}): Promise<Terminal> {
  const { columns = 100, rows = 24, env = {}, inTmux = false } = options;
  const screen = new Screen(columns, rows);
  const { CI: _, ...inherited } = process.env;
  const tmux = inTmux ? ['tmux', '-u', '-L', `svc-test-${randomUUID()}`, '-f', '/dev/null'] : [];
  const [file = '', ...args] = inTmux
    ? [...tmux, 'new-session', ...inShell(command), ';', 'set', '-g', 'status', 'off']
    : inShell(command);
  const pty = spawn(file, args, {
    name: env.TERM ?? 'xterm-256color',
    cols: columns,
    rows,
    env: { ...inherited, ...env },
  });
  let hasExited = false;
  const exit = new Promise<void>((resolve) => {
    pty.onExit(() => {
      hasExited = true;
      screen.end();
      resolve();
    });
  });
  pty.onData((output) => screen.write(output));
  screen.onAnswer((answer) => pty.write(answer));
  return {
    ...inputOf(pty, screen),
    screen: () => screen.text(),
    styled: () => screen.styled(),
    clipboard: () => screen.clipboard(),
    until: (fits) => screen.until(fits),
    resize(width, height) {
      screen.resize(width, height);
      pty.resize(width, height);
    },
    async scribble() {
      const tty = readlinkSync(`/proc/${pty.pid}/fd/0`);
      await run('sh', ['-c', `printf '\\033[2J\\033[Hscribbled' > '${tty}'; stty sane < '${tty}'`]);
    },
    async signal(name) {
      process.kill(Number(readFileSync(`/proc/${pty.pid}/task/${pty.pid}/children`, 'utf8')), name);
    },
    async close() {
      const [program, ...server] = tmux;
      if (program && !hasExited) await run(program, [...server, 'kill-server']);
      if (!hasExited) pty.kill();
      await exit;
    },
  };
}

/** Returns a command that runs the program in a shell, and then prints its exit code on the restored screen. */
function inShell(command: string[]): string[] {
  const line = command.map((word) => `'${word}'`).join(' ');
  // The shell gets ^C as well, and must not end before the program.
  return ['sh', '-c', `trap : INT; echo before; ${line}; echo "ended with $?"; cat`];
}

function inputOf(pty: IPty, screen: Screen): Pick<Terminal, 'press' | 'type' | 'paste'> {
  return {
    press(...keys) {
      for (const key of keys) pty.write(bytesOf(key, screen.modes.applicationCursorKeysMode));
    },
    type: (text) => pty.write(text),
    paste(text) {
      const typed = text.replaceAll('\n', '\r');
      pty.write(screen.modes.bracketedPasteMode ? `\u001b[200~${typed}\u001b[201~` : typed);
    },
  };
}
