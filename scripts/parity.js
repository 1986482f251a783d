import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSources } from './load-source.js';
import { writeOrCheck } from './written-file.js';

/**
 * Makes docs/parity.md of the register and the contract suite's checks: every row of the specification and of the decisions
 * with how it is proved. `--check` writes nothing, and ends with 1 when the file is not what it would write.
 */

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const TARGET = 'docs/parity.md';

const cell = (text) => text.replaceAll('|', '\\|');
const code = (text) => `\`${text}\``;

function proofsOf(row, checks) {
  const needs = {
    'live-key': ' (with a live key)',
    receiver: ' (with a receiver)',
    simulator: ' (with the simulation)',
  };
  return [
    ...checks
      .filter(({ rows }) => rows.includes(row.id))
      .map((check) => `contract: ${check.title}${needs[check.needs] ?? ''}`),
    ...(row.scenarios ?? []).map(({ file, test }) => `scenario: ${code(file.replace(/^test\//, ''))}: ${test}`),
    ...(row.decidedBy ?? []).map((id) => `decided: see ${code(id)}`),
    ...(row.unverifiable ? [`cannot be proved here: ${row.unverifiable}`] : []),
    ...(row.open ? [`**open**: ${row.open}`] : []),
  ];
}

function render(sections, checks) {
  const rows = sections.flatMap((section) => section.rows);
  const with_ = (test) => rows.filter(test).length;
  const checked = new Set(checks.flatMap((check) => check.rows));
  const lines = [
    '# How each row is proved',
    '',
    'Every row of the specification (`spec:`) and every decision where it is silent (`decision:`), with its proofs. Made by',
    '`node scripts/parity.js` from `test/contract/register.json` and the checks in `test/contract/suite/`; a test fails when a',
    'row has no proof or this file is not current.',
    '',
    '- **contract**: a check of the black-box suite, which speaks plain HTTP and knows nothing of the code. `npm test` runs it',
    '  against the built local server and in-process; `npm run test:contract -- --base-url URL --api-key KEY` against anything.',
    '- **scenario**: a test that needs the server’s clock, its plan or its files.',
    '- **decided**: the specification does not show it; the decision named has the proof.',
    '',
    `${rows.length} rows: ${with_(({ id }) => checked.has(id))} with contract checks, ${with_(({ scenarios }) => scenarios)} with scenarios, ` +
      `${with_(({ unverifiable }) => unverifiable)} that cannot be proved here, ${with_(({ open }) => open)} open.`,
  ];
  for (const section of sections) {
    lines.push('', `## ${section.title}`, '', '| Row | What it says | Proved by |', '|---|---|---|');
    for (const row of section.rows) {
      lines.push(`| ${code(row.id)} | ${cell(row.says)} | ${cell(proofsOf(row, checks).join('<br>'))} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

const sections = JSON.parse(readFileSync(at('test/contract/register.json'), 'utf8'));
const { checks } = await loadSources('test/contract/suite/checks.ts');
writeOrCheck(TARGET, render(sections, checks), 'node scripts/parity.js');
