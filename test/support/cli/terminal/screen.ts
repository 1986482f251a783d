import { EventEmitter, once } from 'node:events';
import serializer from '@xterm/addon-serialize';
import headless from '@xterm/headless';

const { UnicodeGraphemesAddon } = await loadGraphemes();

/** Ends a wait for a screen that never comes, before the test itself runs out of time. */
const LIMIT_MS = 45_000;

/** Holds the screen of a terminal, with an emulator in this process. */
export class Screen {
  readonly #emulator: headless.Terminal;
  readonly #serializer = new serializer.SerializeAddon();
  readonly #events = new EventEmitter();
  #ended = false;
  #clipboard = '';

  constructor(columns: number, rows: number) {
    this.#emulator = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
    this.#emulator.loadAddon(this.#serializer);
    // Most terminals do the same: an emoji of several code points takes two columns.
    this.#emulator.loadAddon(new UnicodeGraphemesAddon());
    // OSC 52: the target, and the text in Base64.
    this.#emulator.parser.registerOscHandler(52, (value) => {
      this.#clipboard = Buffer.from(value.split(';')[1] ?? '', 'base64').toString();
      return true;
    });
    this.#emulator.onWriteParsed(() => this.#events.emit('change'));
  }

  get modes(): headless.IModes {
    return this.#emulator.modes;
  }

  /** Writes a program's output to the screen. */
  write(output: string): void {
    this.#emulator.write(output);
  }

  /** Calls `send` with the terminal's replies to a program's queries. */
  onAnswer(send: (answer: string) => void): void {
    this.#emulator.onData(send);
  }

  resize(columns: number, rows: number): void {
    this.#emulator.resize(columns, rows);
    this.#events.emit('change');
  }

  /** Ends every wait once the output so far is shown, because the program has ended. */
  end(): void {
    this.#emulator.write('', () => {
      this.#ended = true;
      this.#events.emit('change');
    });
  }

  /** Returns the rows without trailing spaces, each with a line break. */
  text(): string {
    const { active } = this.#emulator.buffer;
    const rows = Array.from({ length: this.#emulator.rows }, (_, row) => active.getLine(active.baseY + row));
    return rows.map((row) => `${row?.translateToString(true).trimEnd() ?? ''}\n`).join('');
  }

  /** Returns what the program copied last with OSC 52. */
  clipboard(): string {
    return this.#clipboard;
  }

  /** Returns the screen with its color codes. */
  styled(): string {
    return this.#serializer.serialize({ scrollback: 0 });
  }

  /** Resolves with the text once it fits. @throws Error with the text when it never does. */
  async until(fits: RegExp | ((text: string) => boolean)): Promise<string> {
    const limit = AbortSignal.timeout(LIMIT_MS);
    while (true) {
      const text = this.text();
      if (fits instanceof RegExp ? fits.test(text) : fits(text)) return text;
      const changed = !this.#ended && (await once(this.#events, 'change', { signal: limit }).catch(() => false));
      if (!changed) throw new Error(`The screen never fitted ${fits}:\n${text}`);
    }
  }
}

/** Loads the addon without Node's shared buffers: it reads its table from the start of the underlying memory. */
async function loadGraphemes() {
  const { poolSize } = Buffer;
  Buffer.poolSize = 0;
  try {
    return (await import('@xterm/addon-unicode-graphemes')).default;
  } finally {
    Buffer.poolSize = poolSize;
  }
}
