import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printed } from '../../../src/cli/output/color.js';
import { checkTemplate, sampleTemplate } from '../../../src/cli/templates/check-content.js';
import { describeTemplate, junitOfTemplates } from '../../../src/cli/templates/describe-content.js';
import { readTemplateDir } from '../../../src/cli/templates/directory.js';
import { TemplateCompiler } from '../../../src/cli/templates/sources/compiler.js';
import type { TemplateReport } from '../../../src/cli/templates/template-report.js';
import { ROOT, svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

const folder = folderOfEachTest();

/** No server can be reached, so that a command that calls one fails. */
const OFFLINE = { SVC_BASE_URL: 'http://127.0.0.1:9/v1', SVC_API_KEY: 'svc_test_none' };
const check = (...args: string[]) => svc(['templates', 'check', ...args], { cwd: folder.path, env: OFFLINE });

const HTML = `<html><body><div style="display:none">Your order is on its way, {{name}}.</div>
<p style="color:#222;background:#fff">Thank you for your order, {{name}}. It arrives on Monday.</p>
<a href="{{url}}">See your order</a></body></html>`;
const SAMPLE = { name: 'Ada', url: 'https://shop.example/orders/1' };

type Files = { subject?: string; html?: string; text?: string | null; sample?: unknown };

function write(
  name: string,
  { subject = 'Order', html = HTML, text = 'Thank you', sample = SAMPLE }: Files = {},
): void {
  const path = join(folder.path, 'emails', name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'template.json'), JSON.stringify({ name, subject }, null, 2));
  writeFileSync(join(path, 'body.html'), html);
  if (text !== null) writeFileSync(join(path, 'body.txt'), text);
  if (sample !== null)
    writeFileSync(join(path, 'sample.json'), typeof sample === 'string' ? sample : JSON.stringify(sample));
}

async function reportsOf(...args: string[]): Promise<{ passed: boolean; templates: TemplateReport[] }> {
  return JSON.parse((await check('emails', ...args, '--json')).stdout);
}

/** Returns the positions of a failed check as `file:line:column`. */
async function positionsOf(id: string): Promise<string[]> {
  const checks = (await reportsOf()).templates.flatMap((template) => template.checks);
  const found = checks.find((each) => each.id === id);
  const places = (found?.where ?? []) as ((typeof checks)[number]['where'][number] & { file: string })[];
  return places.map(({ file, line, column }) => `${file}:${line}:${column}`);
}

/** Returns the position of a text in a file that was written. */
function positionIn(file: string, text: string, wanted: string): string {
  const lines = text.slice(0, text.indexOf(wanted)).split('\n');
  return `${file}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}

describe('templates without faults', () => {
  it('pass without a server, and one line each', async () => {
    write('order');
    write('welcome', { subject: 'Hi {{name}}' });

    const { code, stdout, stderr } = await check('emails');

    expect([code, stderr]).toEqual([0, '2 templates checked, 0 failed.\n']);
    expect(stdout).toMatch(/^order: score [\d.]+, \d+ checks passed, 0 failed, \d+ not run\.\nwelcome: [^\n]+\n$/);
  });

  it('are also those that svc ships', async () => {
    const { code, stdout } = await check(join(ROOT, 'templates'));

    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringContaining('warning') });
  });
});

it('lists the changes of a mail client after an empty line', async () => {
  write('order', { html: HTML.replace('<p style="', '<p style="position:absolute;') });
  const { stdout } = await check('emails', '--client', 'gmail');
  expect(stdout).toContain('\n\n    Changes in Gmail (web), approximate (gmail):\n');
});

describe('a failed check', () => {
  it('names the position in the file, although values have other lengths and lines', async () => {
    const html = `<p>{{name}}\n{{url}} {{name}} {{name}}</p>\n<p>{{name}} <img src="https://x.example/{{name}}.png"></p>`;
    write('order', { html, sample: { ...SAMPLE, name: 'Ada\n<Lovelace>\n& sons' } });

    const file = 'emails/order/body.html';
    expect(await positionsOf('image-alt')).toEqual([positionIn(file, html, '<img')]);
    const { code, stdout, stderr } = await check('emails');
    expect(code).toBe(3);
    expect(stdout).toContain(`    ${positionIn(file, html, '<img')}  <img src=`);
    expect(stderr).toContain(
      'order: 2 checks failed with severity warning or higher.\n1 template checked, 1 failed.\n',
    );
  });

  it('is at the placeholder, if a value causes it', async () => {
    const html = '<p>Hi {{name}},</p>\n<p>{{name}}: {{url}}</p>';
    write('order', { html, sample: { name: 'Ada', url: 'undefined' } });

    expect(await positionsOf('placeholders')).toEqual([positionIn('emails/order/body.html', html, '{{url}}')]);
  });

  it('of the subject is at the field of template.json', async () => {
    write('order', { subject: 'URGENT ORDER OF {{name}}', sample: { ...SAMPLE, name: 'ADA' } });

    const manifest = readFileSync(join(folder.path, 'emails/order/template.json'), 'utf8');
    expect(await positionsOf('spam-patterns')).toEqual([
      positionIn('emails/order/template.json', manifest, '"subject"'),
    ]);
  });

  it('counts from the severity of --fail-on', async () => {
    write('order', { text: null });

    expect((await check('emails')).code).toBe(3);
    expect((await check('emails', '--fail-on', 'error')).code).toBe(0);
  });

  it('does not count for templates that are not named', async () => {
    write('bad', { text: null });
    write('good');

    expect((await check('emails', 'good')).code).toBe(0);
    expect((await reportsOf('bad', 'good')).templates.map(({ name }) => name)).toEqual(['bad', 'good']);
  });
});

describe('a template with several samples', () => {
  const writeSamples = (html: string, samples: Record<string, unknown>) => {
    write('order', { html });
    for (const [name, values] of Object.entries(samples))
      writeFileSync(join(folder.path, 'emails/order', `sample.${name}.json`), JSON.stringify(values));
  };
  const places = async (id: string) => {
    const [template] = (await reportsOf()).templates;
    const check = template?.checks.find((each) => each.id === id);
    return { details: check?.details, where: check?.where as (object & { samples?: string[] })[] };
  };

  it('lists a finding of all samples once, and names the samples of another', async () => {
    const html = HTML.replace('</body>', '<img src="https://x.example/a.png"><p>{{city}}</p></body>');
    writeSamples(html, {
      de: { ...SAMPLE, city: 'Köln' },
      empty: { ...SAMPLE, city: '' },
      bad: { ...SAMPLE, city: 'null' },
    });

    const images = await places('image-alt');
    expect(images.where).toHaveLength(1);
    expect(images.where[0]).not.toHaveProperty('samples');

    const data = await places('sample-data');
    expect(data.where).toEqual([
      expect.objectContaining({
        excerpt: '{{city}}',
        samples: ['sample.json'],
        note: 'no value, only with sample.json',
      }),
    ]);
    expect(data.details).toBe('1 placeholder without a value in the sample data. Only with sample.json.');
    const { details, where } = await places('placeholders');
    expect(where.map(({ samples }) => samples)).toEqual([['sample.bad.json']]);
    expect(details).toMatch(/Only with sample\.bad\.json\.$/);
    expect((await check('emails')).stdout).toContain('only with sample.bad.json');
  });

  it('counts a check as failed if it fails with one of them', async () => {
    writeSamples(HTML, { empty: { url: 'https://shop.example' } });
    const { passed, templates } = await reportsOf();
    const failed = templates[0]?.checks.filter((each) => each.passed === false).length;
    expect([passed, templates[0]?.failed]).toEqual([false, failed]);
    expect((await check('emails')).stdout).toContain(` passed, ${failed} failed, `);
  });

  it('is not checked if one of them cannot be read', async () => {
    writeSamples(HTML, { de: [] });
    const { code, stdout, stderr } = await check('emails');
    expect([code, stdout]).toEqual([3, expect.stringContaining('sample.de.json')]);
    expect(stderr).toBe('order: not checked.\n1 template checked, 1 failed.\n');
  });
});

describe('a score below --min-score', () => {
  it('fails, with the mail clients and the first lines that cause it', async () => {
    const html = `${HTML}\n<div style="display:grid">Monday</div>`;
    write('order', { html });

    expect((await check('emails', '--min-score', '10')).code).toBe(0);
    const { code, stdout } = await check('emails', '--min-score', '90', '--client', 'outlook.windows');
    expect(code).toBe(3);
    expect(stdout).toMatch(/^ {2}The score of Outlook \(Windows\) is [\d.]+, expected at least 90\.$/m);
    expect(stdout).toContain(positionIn('emails/order/body.html', html, '<div style="display:grid'));
  });
});

it('requires the score of --min-score instead of that of the check', async () => {
  write('order', { html: '<form style="display:grid">Monday</form>' });
  const [report] = (await reportsOf()).templates;
  const score = Math.floor(report?.score ?? 0);

  expect(score).toBeLessThan(80);
  expect((await check('emails')).code).toBe(3);
  expect((await check('emails', '--min-score', String(score))).code).toBe(0);
  expect((await check('emails', '--min-score', String(score + 1))).code).toBe(3);
});

describe('a placeholder without a value', () => {
  it('fails with each position, and does not make its link invalid', async () => {
    write('order', { subject: 'Hi {{name}}', text: 'Hi\n{{name}} {{none}}', sample: { name: 'Ada' } });

    expect(await positionsOf('sample-data')).toEqual([
      positionIn('emails/order/body.html', HTML, '{{url}}'),
      positionIn('emails/order/body.txt', 'Hi\n{{name}} {{none}}', '{{none}}'),
    ]);
    expect(await positionsOf('link-targets')).toEqual([]);
  });

  it('fails without sample.json, which a template without placeholders does not need', async () => {
    write('order', { sample: null });
    write('plain', {
      html: HTML.replace(/\{\{url\}\}/, 'https://shop.example').replace(/\{\{name\}\}/g, ''),
      sample: null,
    });

    const { code, stdout } = await check('emails');

    expect(code).toBe(3);
    expect(stdout).toContain('Sample data: 3 placeholders without a value: the template has no sample.json.');
    expect(stdout).toMatch(/^plain: .* 0 failed/m);
  });
});

describe('the report for CI', () => {
  it('has a test case for each check, with the failures that count', async () => {
    write('order', { text: null });
    write('<other>');

    await check('emails', '--junit', 'r.xml', '--min-score', '0');

    const xml = readFileSync(join(folder.path, 'r.xml'), 'utf8');
    const { templates } = await reportsOf();
    const run = templates.flatMap(({ checks }) => checks).filter(({ passed }) => passed !== null);
    expect(xml).toContain(`<testsuites name="svc templates check" tests="${run.length + 2}" failures="1"`);
    expect(xml).toContain(
      '<testcase classname="order" name="text-part: Plain text"><failure type="text-part" message="The email has HTML only.">',
    );
    expect(xml).toContain('<testcase classname="&lt;other&gt;" name="min-score"></testcase>');
  });

  it('does not remain from an earlier run that checked something', async () => {
    write('order');
    await check('emails', '--junit', 'r.xml');

    expect((await check('nowhere', '--junit', 'r.xml')).code).toBe(2);
    expect(existsSync(join(folder.path, 'r.xml'))).toBe(false);
  });
});

describe('files that cannot be checked', () => {
  it.each<[what: string, make: () => void, args: string[], message: string, hint: string]>([
    ['a missing directory', () => {}, ['emails'], '/emails not found.', 'Check the path.'],
    [
      'a template without its directory',
      () => {
        write('order');
        renameSync(join(folder.path, 'emails'), join(folder.path, 'templates'));
      },
      ['order'],
      '/order not found.',
      'Did you mean "templates order"?',
    ],
    ['an empty directory', () => mkdirSync(join(folder.path, 'emails')), ['emails'], 'any templates', 'templates init'],
    ['a template itself', () => write('order'), ['emails/order'], 'any templates', '/emails\n'],
    [
      'links only',
      () => {
        write('order');
        mkdirSync(join(folder.path, 'links'));
        symlinkSync(join(folder.path, 'emails/order'), join(folder.path, 'links/order'));
      },
      ['links'],
      '/links only has links to templates.',
      'Name the directory they lead to.',
    ],
    ['a file', () => write('order'), ['emails/order/body.html'], 'body.html is a file, not a directory.', ''],
    [
      'a mail client without a view',
      () => write('order'),
      ['emails', '--client', 'eudora'],
      '--client: svc has no view of mail client "eudora".',
      'Choose from: gmail, ',
    ],
    [
      'an unknown mail client',
      () => write('order'),
      ['emails', '--min-score', '50', '--client', 'gmial'],
      '--client: mail client "gmial" not found.',
      'Did you mean gmail?',
    ],
  ])('are an error with the file and the next step: %s', async (_, make, args, message, hint) => {
    make();

    const { code, stdout, stderr } = await check(...args);

    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  it.runIf(process.getuid?.() !== 0)('are directories that cannot be read', async () => {
    write('order');
    for (const name of ['emails/order', 'emails']) {
      chmodSync(join(folder.path, name), 0);
      const { code, stderr } = await check('emails');
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^Error: Cannot read \S+: permission denied\.\n/)]);
      expect(stderr).toContain(join(folder.path, name));
      chmodSync(join(folder.path, name), 0o700);
    }
  });

  it('are also templates that do not exist', async () => {
    write('order');

    const { code, stderr } = await check('emails', 'ordre');

    expect(code).toBe(1);
    expect(stderr).toMatch(/^Error: Template "ordre" not found in \S+emails\.\nDid you mean "order"\?\n$/);
  });
});

describe('a template that cannot be checked', () => {
  it.each<[what: string, make: () => void, message: string]>([
    ['invalid JSON', () => write('order', { sample: '{"name":' }), 'order/sample.json is not valid JSON'],
    ['JSON without an object', () => write('order', { sample: '[1]' }), 'must contain a JSON object'],
    [
      'a value that is not text',
      () => write('order', { sample: { ...SAMPLE, name: ['Ada'] } }),
      'Template variables: name must be a string, a finite number or a boolean.',
    ],
    [
      'a file that is too large',
      () => write('order', { html: 'x'.repeat(1_100_000) }),
      'emails/order/body.html: has 1,100,000 bytes in UTF-8; the limit is 1,048,576.',
    ],
    [
      'bytes that are not text',
      () => {
        write('order');
        writeFileSync(join(folder.path, 'emails/order/body.html'), Buffer.from([0x89, 0x50, 0x4e, 0x47]));
      },
      'order/body.html is not valid UTF-8.',
    ],
    [
      'a directory in place of a file',
      () => {
        write('order');
        rmSync(join(folder.path, 'emails/order/body.html'));
        mkdirSync(join(folder.path, 'emails/order/body.html'));
      },
      'order/body.html cannot be read: it is a directory.',
    ],
    [
      'no source',
      () => {
        write('order');
        rmSync(join(folder.path, 'emails/order/body.html'));
      },
      'emails/order has no HTML.\n  Add body.html, or a source: body.mjml, body.tsx, body.jsx, or "command" in template.json.',
    ],
    [
      'no template.json',
      () => {
        write('order');
        rmSync(join(folder.path, 'emails/order/template.json'));
      },
      'order/template.json cannot be read: no such file',
    ],
    [
      'the name of another',
      () => {
        write('order');
        cpSync(join(folder.path, 'emails/order'), join(folder.path, 'emails/copy'), { recursive: true });
      },
      'emails/copy has the same name.',
    ],
  ])('fails with the file and the reason, and the others are checked: %s', async (_, make, message) => {
    make();
    write('welcome');

    const { code, stdout } = await check('emails', '--junit', 'r.xml');

    expect(code).toBe(3);
    expect(stdout).toMatch(/^order: not checked\. /m);
    expect(stdout).toContain(message);
    expect(stdout).toMatch(/^welcome: score .* 0 failed/m);
    expect(readFileSync(join(folder.path, 'r.xml'), 'utf8')).toContain('<failure type="limits"');
    expect(await check('emails', 'welcome')).toMatchObject({ code: 0 });
  });
});

it('shows text that begins as a placeholder and is sent unchanged', async () => {
  write('order', { html: HTML.replace('{{name}}. It', '{{name It') });

  const { code, stdout } = await check('emails');

  expect(code).toBe(3);
  expect(stdout).toContain('1 invalid placeholder, sent unchanged.');
  expect(stdout).toMatch(/emails\/order\/body\.html:2:\d+ {2}not a placeholder: \{\{name It/);
});

it('fails a required score of a mail client about which the data has too little', async () => {
  write('order');

  const { code, stdout } = await check('emails', '--min-score', '1', '--client', 'free-fr');

  expect(code).toBe(3);
  expect(stdout).toContain('The score of Free.fr (webmail) is not known: the data has too little about this client.');
});

it('reports a template whose checks were stopped as a failed one, with the others', async () => {
  write('order');
  const order = await readTemplateDir(join(folder.path, 'emails/order'), new TemplateCompiler(folder.path, {}));
  const stopped = {
    checkContent: async () => ({ problem: 'Stopped.' }),
    showAsClient: async () => Promise.reject(new Error('not called')),
  };

  const result = await checkTemplate(await sampleTemplate(order), stopped);

  const thresholds = { failOn: undefined, minScore: undefined, clients: [], views: [] };
  expect(printed(describeTemplate(result, thresholds), false)).toBe('order: not checked. Stopped.\n');
  expect(junitOfTemplates([result], thresholds)).toContain('<failure type="limits" message="Stopped.">');
});
