/**
 * Writes the table of what mail clients support, from the data of caniemail.com: node scripts/client-support.js FILE.
 * FILE is caniemail.json of the npm package caniemail (`npm pack caniemail`). Each client has its newest result only.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TABLE = fileURLToPath(new URL('../src/mime/checks/support/client-support.json', import.meta.url));

/** Names of families and platforms that the data writes differently from their makers. */
const NAMES = { 'Desktop Webmail': 'webmail', 'Mobile Webmail': 'mobile webmail', Webmail: 'webmail' };

const [, , file] = process.argv;
if (!file) {
  process.stderr.write('Usage: node scripts/client-support.js FILE\nGet FILE with "npm pack caniemail".\n');
  process.exit(2);
}
const data = readInOrder(readFileSync(file, 'utf8'));
const ids = [
  ...new Set(data.data.flatMap(({ stats }) => Object.entries(stats).flatMap(([family, of]) => idsOf(family, of)))),
].sort();
const table = {
  source: 'https://www.caniemail.com',
  updated: data.last_update_date.slice(0, 10),
  clients: ids.map((id) => [id, clientName(id)]),
  features: data.data.map(featureOf),
};
const lines = table.features.map((feature) => `    ${JSON.stringify(feature)}`).join(',\n');
const { features, ...head } = table;
const start = JSON.stringify(head, null, 2).replace(/\n\}$/, '');
writeFileSync(TABLE, `${start},\n  "features": [\n${lines}\n  ]\n}\n`);
process.stdout.write(`${features.length} features, ${ids.length} clients, data of ${table.updated}\n`);

/** Parses the data. Versions such as "16" get a letter first: JavaScript would sort them before all others. */
function readInOrder(text) {
  return JSON.parse(text.replace(/"(\d+)":/g, '"v$1":'));
}

function idsOf(family, platforms) {
  return Object.keys(platforms).map((platform) => `${family}.${platform}`);
}

function clientName(id) {
  const [family, platform] = id.split('.');
  const { family: families, platform: platforms } = data.nicenames;
  const shown = platforms[platform] ?? platform;
  return platform === 'outlook-com' ? 'Outlook.com' : `${families[family] ?? family} (${NAMES[shown] ?? shown})`;
}

/** Returns a feature: `support` has a letter for each client (y, a, n; u if unknown), `notes` numbers of notes. */
function featureOf({ slug, title, category, stats, notes_by_num }) {
  const newest = ids.map((id) => {
    const [family, platform] = id.split('.');
    return Object.values(stats[family]?.[platform] ?? {}).at(-1) ?? 'u';
  });
  const notes = newest.flatMap((result, index) => {
    const numbers = Array.from(result.matchAll(/#(\d+)/g), ([, number]) => Number(number));
    return numbers.length > 0 ? [[index, numbers]] : [];
  });
  const used = new Set(notes.flatMap(([, numbers]) => numbers));
  const texts = Object.entries(notes_by_num ?? {}).map(([number, text]) => [Number(number.slice(1)), text]);
  return {
    slug,
    title: title.trim(),
    category,
    support: newest.map((result) => result[0]).join(''),
    ...(notes.length > 0 && {
      notes: Object.fromEntries(notes.map(([index, numbers]) => [index, numbers])),
      texts: Object.fromEntries(texts.filter(([number]) => used.has(number))),
    }),
  };
}
