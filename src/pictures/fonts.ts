import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { escapeHtml } from '../contract/vocabulary/text.js';
import { hasFontconfig } from '../system.js';

/**
 * Limits the browser to the fonts of one directory, so that pictures do not depend on the fonts and the font settings of
 * the machine.
 */

export interface FontSet {
  /** The environment of the browser. */
  env: NodeJS.ProcessEnv;
  /** A digest of the files with fonts. */
  digest: string;
  /** Deletes the temporary files. */
  remove(): void;
}

const FONT_FILE = /\.(?:ttf|otf|ttc)$/i;

/** Families of open fonts for each generic one; the first that the directory has is used. */
const PREFERRED = {
  'sans-serif': ['Liberation Sans', 'Arimo', 'DejaVu Sans', 'Noto Sans', 'Roboto', 'Inter', 'Open Sans'],
  serif: ['Liberation Serif', 'Tinos', 'DejaVu Serif', 'Noto Serif'],
  monospace: ['Liberation Mono', 'Cousine', 'DejaVu Sans Mono', 'Noto Sans Mono'],
};
/** What a family that the directory does not have is replaced with. */
const LIKE = {
  'sans-serif': ['Arial', 'Helvetica', 'Helvetica Neue', 'Verdana', 'Tahoma', 'Segoe UI', 'system-ui'],
  serif: ['Times New Roman', 'Times', 'Georgia'],
  monospace: ['Courier New', 'Courier', 'Menlo', 'Consolas'],
};

/** Returns the font set of a directory. @throws Error with the reason if it cannot be used. */
export function openFontSet(directory: string, env: NodeJS.ProcessEnv): FontSet {
  const path = resolve(directory);
  if (!hasFontconfig()) throw new Error('only browsers on Linux can be limited to a directory of fonts');
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((file) => FONT_FILE.test(file));
  if (files.length === 0) throw new Error('it contains no .ttf, .otf or .ttc file');
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(readFileSync(join(path, file)));
  const temporary = mkdtempSync(join(tmpdir(), 'svc-fonts-'));
  const settings = join(temporary, 'fonts.conf');
  writeFileSync(settings, settingsFor(path, files, join(temporary, 'cache')));
  return {
    env: { ...env, FONTCONFIG_FILE: settings },
    digest: hash.digest('hex').slice(0, 12),
    remove: () => rmSync(temporary, { recursive: true, force: true }),
  };
}

/** Returns settings of fontconfig with one directory, and fixed rules to smooth and to replace fonts. */
function settingsFor(directory: string, files: readonly string[], cache: string): string {
  const aliases = (['sans-serif', 'serif', 'monospace'] as const).flatMap((generic) => {
    // The browser ignores a family that is replaced with one that does not exist.
    const found = PREFERRED[generic].find((family) => hasFamily(files, family));
    return found === undefined ? [] : [generic, ...LIKE[generic]].map((family) => alias(family, found));
  });
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>${escapeHtml(directory)}</dir>
<cachedir>${escapeHtml(cache)}</cachedir>
${aliases.join('\n')}
<match target="font">
<edit name="antialias" mode="assign"><bool>true</bool></edit>
<edit name="hinting" mode="assign"><bool>false</bool></edit>
<edit name="rgba" mode="assign"><const>none</const></edit>
</match>
</fontconfig>
`;
}

/** Returns whether a file is named after the family, such as `DejaVuSans.ttf` or `Arimo-Regular.ttf`. */
function hasFamily(files: readonly string[], family: string): boolean {
  const name = family.replaceAll(' ', '');
  return files.some((file) => basename(file).split(/[-.[_]/, 1)[0] === name);
}

function alias(family: string, replacement: string): string {
  return `<alias binding="same"><family>${family}</family><prefer><family>${replacement}</family></prefer></alias>`;
}
