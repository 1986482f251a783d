import { findUrls } from '../../src/mime/extract/links/text-urls.js';
import { findHtmlLinks } from '../../src/mime/html-links.js';
import { parseMessage } from '../../src/mime/parse.js';
import { readSimpleMessage, SIMPLE_BYTES_MAX } from '../../src/mime/simple-message.js';
import { median, printTable } from './figures.js';

/**
 * Measures how the parsers' time grows with the size of their worst inputs. Linear growth is ten times the time for ten
 * times the size.
 */

const SIZES = [10_000, 100_000, 1_000_000];
const ROUNDS = 3;

const repeated = (text: string, size: number) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
const message = (head: string) => Buffer.from(`${head}\r\n\r\nhi\r\n`, 'latin1');

const inputs: Record<string, (size: number) => unknown> = {
  'links: blanks in href': (size) => findHtmlLinks(`<a href="http://e.test/${' '.repeat(size)}x">c</a>`),
  'links: attributes': (size) =>
    findHtmlLinks(`<a ${Array.from({ length: size / 10 }, (_, n) => `a${n}=1`).join(' ')} href="http://e.test/">`),
  'links: <': (size) => findHtmlLinks('<'.repeat(size)),
  'links: &': (size) => findHtmlLinks('&'.repeat(size)),
  'links: &ampamp': (size) => findHtmlLinks(repeated('&notit;', size)),
  'links: comments': (size) => findHtmlLinks(repeated('<!--', size)),
  'links: links': (size) => findHtmlLinks(repeated('<a href=http://e>', size)),
  'links: quotes': (size) => findHtmlLinks(repeated('<a href="', size)),
  'text: http://': (size) => findUrls(repeated('http://', size)),
  'text: full stops': (size) => findUrls(`http://${'.'.repeat(size)}`),
  'parse: References': (size) => parseMessage(message(`Subject: x\r\n${repeated('References: <a>\r\n', size)}X: y`)),
  'parse: carriage returns': (size) => parseMessage(message(`Subject: x\r\nX: ${'\r'.repeat(size)}x`)),
  'parse: groups in Cc': (size) => parseMessage(message(`Cc: ${repeated('a:', size)}`)),
  'parse: encoded words in Cc': (size) => parseMessage(message(`Cc: ${repeated('=?utf-8?q?a?= <a@b.test>, ', size)}`)),
  'parse: encoded words in Subject': (size) => parseMessage(message(`Subject: ${repeated('=?utf-8?q?a?= ', size)}`)),
  'parse: comments in From': (size) => parseMessage(message(`From: ${repeated('(', size)}`)),
  'parse: quotes in From': (size) => parseMessage(message(`From: ${repeated('"', size)}`)),
  'parse: parameters': (size) => parseMessage(message(`Content-Type: text/plain; ${repeated('a*0=b; ', size)}`)),
  'parse: parts': (size) =>
    parseMessage(message(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${repeated('--b\r\n\r\nx\r\n', size)}`)),
};

/** Inputs up to the size that is parsed in the server's own process. */
const quick: Record<string, (size: number) => unknown> = {
  'in-process: blanks': (size) => readSimpleMessage(message(`Subject:${' '.repeat(size)}x`)),
  'in-process: folds': (size) => readSimpleMessage(message(`Subject: x${repeated('\r\n ', size)}`)),
  'in-process: addresses': (size) => readSimpleMessage(message(`To: ${repeated('a@b.test,', size)}`)),
  'in-process: names': (size) => readSimpleMessage(message(`To: ${repeated('a ', size)}<a@b.test>`)),
  'in-process: parameters': (size) => readSimpleMessage(message(`Content-Type: text/plain${repeated('; a=b', size)}`)),
  'in-process: delimiters': (size) =>
    readSimpleMessage(
      message(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${repeated('--b\r\n\r\nx\r\n', size)}--b--`),
    ),
  'in-process: quoted-printable': (size) =>
    readSimpleMessage(message(`Content-Transfer-Encoding: quoted-printable\r\n\r\n${repeated('=\r\n', size)}`)),
};

export async function printGrowth(): Promise<void> {
  const rows = [];
  for (const [name, run] of Object.entries(inputs)) rows.push([name, ...(await times(run, SIZES))]);
  printTable(['ms', '10 KB', '100 KB', '1 MB'], rows);
  const small = [640, 6_400, SIMPLE_BYTES_MAX - 200];
  const quickRows = [];
  for (const [name, run] of Object.entries(quick)) quickRows.push([name, ...(await times(run, small))]);
  console.log();
  printTable(['ms', '0.6 KB', '6 KB', '64 KB'], quickRows);
}

async function times(run: (size: number) => unknown, sizes: number[]): Promise<string[]> {
  const shown: string[] = [];
  for (const size of sizes) {
    const spent: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = performance.now();
      await run(size);
      spent.push(performance.now() - began);
    }
    shown.push(median(spent).toFixed(2));
  }
  return shown;
}
