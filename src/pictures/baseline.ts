import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { crc32 } from 'node:zlib';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { type Check, failed, passed } from '../client/checks/check.js';
import { withoutVolatile } from '../client/checks/volatile.js';
import { PICTURE_WIDTH } from '../contract/vocabulary/limits.js';
import { HEIGHT_MAX, type PictureContent, type PictureOptions, type Pictures } from './pictures.js';

/**
 * Compares the picture of an email with a baseline: a PNG file that also records the browser and the fonts. IDs, codes and
 * times in the text are replaced in both, as in snapshots.
 */

export interface ComparisonOptions extends PictureOptions {
  /** CSS selectors of elements to hide in both pictures. */
  mask?: readonly string[] | undefined;
  /** Percentage of pixels that may differ (default: 0). */
  threshold?: number | undefined;
  /** One-time codes in the text. */
  codes?: readonly string[] | undefined;
  /** Whether to write the baseline instead, if it does not exist or differs; `missing`: only if it does not exist. */
  update?: boolean | 'missing' | undefined;
  /** What tells the user how to write the baseline. */
  howToUpdate: string;
}

/** The result of a comparison. */
export interface Comparison extends Check {
  /** The picture of the difference, of a failed comparison. */
  difference?: string;
}

/** What a baseline records besides its pixels. */
interface Origin {
  browser: string;
  fonts: string;
}

/**
 * A baseline that cannot be read fails, and an update replaces it.
 * @throws PictureError if a picture cannot be taken; the error of the system if a file cannot be written.
 */
export async function compareWithBaseline(
  pictures: Pictures,
  file: string,
  content: PictureContent,
  { mask, threshold = 0, codes = [], update = false, howToUpdate, ...options }: ComparisonOptions,
): Promise<Comparison> {
  const name = `screenshot ${file}`;
  const stable = (text: string) => withoutVolatile(text, codes);
  const baseline = read(file);
  const { png } = await pictures.take(content, { ...options, mask, stable });
  const origin: Origin = { browser: pictures.version, fonts: await pictures.fonts() };
  const differenceFile = `${file.slice(0, file.length - extname(file).length)}.diff.png`;
  const accept = (message: string) => {
    write(file, withOrigin(png, origin));
    rmSync(differenceFile, { force: true });
    return passed(name, message);
  };
  if (baseline === undefined) {
    return update ? accept('written') : failed(name, `the file does not exist; to write it, ${howToUpdate}`);
  }
  if ('problem' in baseline) {
    if (update === true) return accept('replaced');
    return failed(name, `the baseline cannot be used: ${baseline.problem}; to replace it, ${howToUpdate}`);
  }
  const difference = differenceOf(baseline.picture, PNG.sync.read(png));
  if (difference.pixels === 0 || (!difference.isResized && difference.percent <= threshold)) {
    rmSync(differenceFile, { force: true });
    return passed(name, difference.pixels === 0 ? 'the email equals the picture' : `${inWords(difference)} differ`);
  }
  if (update === true) return accept('updated');
  write(differenceFile, difference.picture());
  const changes = originChanges(baseline.origin, origin);
  const reason = difference.isResized
    ? `${difference.sizes}, and ${inWords(difference)} differ`
    : `${inWords(difference)} differ`;
  const message = [...changes, `${reason}; to accept the picture, ${howToUpdate}`].join(' ');
  const details = `Baseline, email and difference: ${differenceFile}\n[[ATTACHMENT|${differenceFile}]]`;
  return { ...failed(name, message, details), difference: differenceFile };
}

interface Difference {
  pixels: number;
  percent: number;
  isResized: boolean;
  sizes: string;
  /** Draws the baseline, the email and what differs next to each other. */
  picture(): Buffer;
}

/** Pixels between the parts of a difference. */
const GAP = 16;

function differenceOf(before: PNG, after: PNG): Difference {
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const [one, two] = [before, after].map((picture) => enlarged(picture, width, height)) as [PNG, PNG];
  const marked = new PNG({ width, height });
  const pixels = one.data.equals(two.data) ? 0 : pixelmatch(one.data, two.data, marked.data, width, height);
  const isResized = before.width !== after.width || before.height !== after.height;
  return {
    pixels: isResized ? Math.max(1, pixels) : pixels,
    percent: (100 * pixels) / (width * height),
    isResized,
    sizes: `the baseline has ${sizeOf(before)} pixels, the picture ${sizeOf(after)}`,
    picture: () => {
      const all = enlarged(undefined, 3 * width + 2 * GAP, height);
      for (const [index, part] of [one, two, marked].entries()) {
        PNG.bitblt(part, all, 0, 0, width, height, index * (width + GAP), 0);
      }
      return PNG.sync.write(all);
    },
  };
}

const sizeOf = ({ width, height }: PNG) => `${width} × ${height}`;

function inWords({ pixels, percent }: Difference): string {
  return `${pixels.toLocaleString('en-US')} pixels (${percent < 0.01 ? 'less than 0.01' : percent.toFixed(2)} %)`;
}

/** Returns a picture of this size with another in its corner, on gray. */
function enlarged(picture: PNG | undefined, width: number, height: number): PNG {
  if (picture?.width === width && picture.height === height) return picture;
  const all = new PNG({ width, height });
  for (let at = 0; at < all.data.length; at += 4) all.data.set([128, 128, 128, 255], at);
  if (picture) PNG.bitblt(picture, all, 0, 0, picture.width, picture.height, 0, 0);
  return all;
}

function originChanges(before: Origin | undefined, now: Origin): string[] {
  if (before === undefined) return ['The baseline does not record its browser: svc did not write it.'];
  const changes = [
    before.browser !== now.browser && `the baseline was made with ${before.browser}, the picture with ${now.browser}`,
    before.fonts !== now.fonts && `the fonts differ (${fontChanges(before.fonts, now.fonts)})`,
  ].filter((change) => change !== false);
  return changes.length === 0 ? [] : [`Another browser or other fonts draw other pixels: ${changes.join('; ')}.`];
}

/** Changed fonts that a message lists. */
const FONTS_MAX = 2;

/** Returns what is different in lists such as `Arial = Liberation Sans; serif = Tinos`. */
function fontChanges(before: string, now: string): string {
  const read = (list: string) => new Map(list.split('; ').map((each) => each.split(' = ') as [string, string]));
  const [old, current] = [read(before), read(now)];
  const changes = [...new Set([...old.keys(), ...current.keys()])]
    .filter((name) => old.get(name) !== current.get(name))
    .map((name) => `${name} was ${old.get(name) ?? 'not set'}, now ${current.get(name) ?? 'not set'}`);
  const rest = changes.length - FONTS_MAX;
  return [...changes.slice(0, FONTS_MAX), ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}

const SIGNATURE_BYTES = 8;
/** The signature and the first chunk, which has the size. */
const HEAD_BYTES = 33;
const PNG_START = Buffer.from('89504e470d0a1a0a', 'hex');
const FILE_BYTES_MAX = 64 * 1024 * 1024;
const KEYWORD = 'svc\0';

/** Adds a text chunk (PNG 11.3.3.2) with the origin. */
function withOrigin(png: Buffer, origin: Origin): Buffer {
  const data = Buffer.from(`tEXt${KEYWORD}${asciiJson(origin)}`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length - 4);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(data));
  return Buffer.concat([png.subarray(0, HEAD_BYTES), length, data, sum, png.subarray(HEAD_BYTES)]);
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function originOf(png: Buffer): Origin | undefined {
  for (let at = SIGNATURE_BYTES; at + 8 <= png.length; ) {
    const length = png.readUInt32BE(at);
    const data = png.toString('latin1', at + 4, at + 8 + length);
    if (data.startsWith(`tEXt${KEYWORD}`)) {
      try {
        return JSON.parse(data.slice(4 + KEYWORD.length)) as Origin;
      } catch {
        return undefined;
      }
    }
    at += length + 12;
  }
  return undefined;
}

/** Returns a baseline, or why it cannot be used; undefined if the file does not exist. */
function read(file: string): { picture: PNG; origin: Origin | undefined } | { problem: string } | undefined {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return { problem: 'it is not a file' };
    if (stats.size > FILE_BYTES_MAX) return { problem: `it has more than ${FILE_BYTES_MAX / 1024 ** 2} MiB` };
    const bytes = readFileSync(file);
    const [width, height] = bytes.length < HEAD_BYTES ? [0, 0] : [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    // A few bytes can declare a picture that fills the memory.
    if (bytes.subarray(0, SIGNATURE_BYTES).equals(PNG_START) && (width > PICTURE_WIDTH.max || height > HEIGHT_MAX))
      return {
        problem: `it has ${width} × ${height} pixels, and svc draws at most ${PICTURE_WIDTH.max} × ${HEIGHT_MAX}`,
      };
    return { picture: PNG.sync.read(bytes), origin: originOf(bytes) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    return { problem: code === 'EACCES' ? 'permission denied' : 'it is not a complete PNG file' };
  }
}

function write(file: string, bytes: Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
