import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/cli/binary.js';

/**
 * Reads messages that other projects ship, where their packages install them: their licences may not allow a copy here.
 */

export interface CorpusMessage {
  name: string;
  /** As SMTP transmits it: every line ends with CRLF. */
  bytes: Buffer;
}

export interface Corpus {
  name: string;
  /** The command that installs it. */
  install: string;
  folder: string;
  files: RegExp;
  /** Reads every n-th file, unless SVC_CORPUS is `all`. */
  every: number;
}

export const corpora: readonly Corpus[] = [
  {
    name: 'CPython',
    install: 'apt-get install libpython3.11-testsuite',
    folder: '/usr/lib/python3.11/test/test_email/data',
    files: /msg_\w+\.txt$/,
    every: 1,
  },
  {
    name: 'enmime',
    install: 'apt-get install golang-github-jhillyerd-enmime-dev',
    folder: '/usr/share/gocode/src/github.com/jhillyerd/enmime/testdata',
    files: /\.raw$/,
    every: 1,
  },
  {
    name: 'flufl.bounce',
    install: 'apt-get install python3-flufl.bounce',
    folder: '/usr/lib/python3/dist-packages/flufl/bounce/tests/data',
    files: /\.txt$/,
    every: 1,
  },
  {
    name: 'SpamAssassin',
    install: 'npm run corpus',
    folder: join(ROOT, 'node_modules/.cache/svc-corpora/spam-assassin-0.2.3'),
    files: /\.txt$/,
    every: 20,
  },
];

export function isPresent({ folder }: Corpus): boolean {
  return existsSync(folder);
}

/** Returns the messages of a corpus, in the order of their names. */
export function messagesOf({ name, folder, files, every }: Corpus): CorpusMessage[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => files.test(path));
  const step = process.env.SVC_CORPUS === 'all' ? 1 : every;
  return paths
    .sort()
    .filter((_, index) => index % step === 0)
    .map((path) => ({ name: `${name}: ${path}`, bytes: withCrlf(readFileSync(join(folder, path))) }));
}

/** Ends every line with CRLF, the last one too. */
function withCrlf(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replace(/\r\n|\r|\n/g, '\r\n');
  return Buffer.from(text.endsWith('\r\n') || text === '' ? text : `${text}\r\n`, 'latin1');
}
