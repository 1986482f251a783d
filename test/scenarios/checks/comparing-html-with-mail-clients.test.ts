import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmailChecks, HtmlSupport } from '../../../src/contract/control/emails/check.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** The result is compared with caniemail.com's own data, and the coverage with that of Mailpit's HTML check. */

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/checks/${name}`, import.meta.url), 'utf8');

interface Feature {
  slug: string;
  stats: Record<string, Record<string, string>>;
}

/** Results by version, as pairs: in an object, versions such as "16" would come before all others. */
const sample = JSON.parse(fixture('caniemail-sample.json').replace(/"([\d.-]+)": "([yanu][^"]*)"/g, '"=$1": "$2"')) as {
  data: Feature[];
};
const mailpit = Object.entries(JSON.parse(fixture('mailpit-html-check.json')) as Record<string, string>);

/** Features in one email: few enough that the test's own process checks it. */
const TOGETHER = 30;
/** Names that caniemail.com no longer has. */
const RENAMED = ['css-margin-inline', 'image-ppm'];

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.closeClean());

async function check(html: string): Promise<EmailChecks> {
  const email = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hello', html };
  const { id } = (await app.call('POST', '/v1/emails', email)).json.data;
  return app.read(`/_svc/emails/${id}/checks`);
}

async function supportOf(html: string): Promise<HtmlSupport> {
  return (await check(html)).html_support as HtmlSupport;
}

describe('support by mail clients', () => {
  it.each(sample.data)('of $slug is that of caniemail.com', async ({ slug, stats }) => {
    const [, html = ''] = mailpit.find(([name]) => name === slug) ?? [];
    const newest = Object.entries(stats).flatMap(([family, platforms]) =>
      Object.entries(platforms).map(([platform, versions]) => {
        return { id: `${family}.${platform}`, letter: Object.values(versions).at(-1)?.[0] };
      }),
    );
    const ids = (letter: string) => newest.filter((each) => each.letter === letter).map(({ id }) => id);

    const feature = (await supportOf(html)).features.find((each) => each.slug === slug);

    const found = (level: string) =>
      feature?.clients.filter(({ support }) => support === level).map(({ id }) => id) ?? [];
    expect(found('unsupported').sort()).toEqual(ids('n').sort());
    expect(found('partial').sort()).toEqual(ids('a').sort());
    const known = newest.length - ids('u').length;
    expect(feature?.supported).toBeCloseTo((100 * ids('y').length) / known, 0);
  });

  it('finds each feature that Mailpit finds', async () => {
    const wanted = mailpit.filter(([slug]) => !RENAMED.includes(slug));
    const missing: string[] = [];
    for (let at = 0; at < wanted.length; at += TOGETHER) {
      const some = wanted.slice(at, at + TOGETHER);
      const { features } = await supportOf(some.map(([, html]) => html).join(''));
      const found = new Set(features.map(({ slug }) => slug));
      missing.push(...some.map(([slug]) => slug).filter((slug) => !found.has(slug)));
    }

    expect(wanted.length).toBeGreaterThan(170);
    expect(missing).toEqual([]);
  });

  it('weighs a feature by the number of elements that use it', async () => {
    const [flex, block] = ['<div style="display:flex">x</div>', '<b>x</b>'];
    const few = await supportOf(`${flex}${block.repeat(99)}`);
    const many = await supportOf(`${flex.repeat(99)}${block}`);

    expect(few.score).toBeGreaterThan(95);
    expect(many.score).toBeLessThan(65);
    expect(many.features.find(({ slug }) => slug === 'css-display-flex')).toMatchObject({ found: 99 });
  });

  it('counts the elements that a rule of a style sheet styles', async () => {
    const html = '<style>td .pill { display: flex }</style><table><tr><td><b class="pill">1</b><b>2</b>';
    const { features } = await supportOf(`${html}<td><i class="x pill">3</i></table><p class="pill">4`);

    expect(features.find(({ slug }) => slug === 'css-display-flex')).toMatchObject({
      found: 2,
      where: [{ source: 'html', line: 1, column: 19, excerpt: 'display: flex' }],
    });
  });

  it('has a score for each client with enough data', async () => {
    const { clients } = await supportOf('<div style="display:flex; gap: 1px"><b>x</b></div>');
    const scoreOf = (id: string) => clients.find((client) => client.id === id);

    expect(scoreOf('outlook.windows')).toMatchObject({ name: 'Outlook (Windows)', unsupported: 2 });
    expect(scoreOf('apple-mail.ios')?.score).toBe(100);
    expect(scoreOf('rainloop.desktop-webmail')?.score).toBeNull();
  });
});
