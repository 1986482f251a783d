import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Writes a generated file of the project. With `--check`, reports that it is out of date instead, and exits with 1. */
export function writeOrCheck(file, text, command) {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
  } else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    process.stderr.write(`${file} is not current. Run: ${command}\n`);
    process.exitCode = 1;
  }
}
