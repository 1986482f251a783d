import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveredHtml, fetchFromMail, pixelUrl, TRACKED_LINK } from '../../support/mail/delivered.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

const HTML = '<a href="https://one.test/">1</a><a href="https://two.test/">2</a>';

describe('a manipulated tracking link', () => {
  let app: TestApp;
  let ids: string[];
  let paths: { pixel: string; links: string[] };

  beforeAll(async () => {
    app = await startApp();
    const body = { to: ['ada@example.test', 'bob@example.test'], from: 'shop@example.test', subject: 'Hi', html: HTML };
    ids = [];
    for (let count = 0; count < 2; count++) ids.push((await app.call('POST', '/v1/emails', body)).json.data.id);
    await app.drain();
    const html = await deliveredHtml(app, ids[0] ?? '');
    const pathOf = (url: string) => new URL(url).pathname;
    paths = { pixel: pathOf(pixelUrl(html)), links: (html.match(TRACKED_LINK) ?? []).map(pathOf) };
  });

  afterAll(() => app.closeClean());

  async function counts(): Promise<number[]> {
    const details = await Promise.all(ids.map((id) => app.call('GET', `/v1/emails/${id}`)));
    return details.flatMap(({ json: { data } }) => [data.opens_count, data.clicks_count]);
  }

  async function expectRefused(path: string): Promise<void> {
    const answer = await fetchFromMail(app, path);
    expect(answer.status, path).toBe(404);
    expect(answer.headers.location).toBeUndefined();
    expect(JSON.parse(answer.body.toString()).error.code).toBe('not_found');
  }

  it('is refused whichever character is changed, and records nothing', async () => {
    const before = await counts();
    const tokenAt = '/t/c/'.length;
    const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~';
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(paths.pixel, ...paths.links),
        fc.nat(),
        fc.constantFrom(...base64url),
        async (path, place, character) => {
          const end = path.endsWith('.gif') ? path.length - '.gif'.length : path.length;
          const at = tokenAt + (place % (end - tokenAt));
          fc.pre(path[at] !== character);
          await expectRefused(path.slice(0, at) + character + path.slice(at + 1));
        },
      ),
      { numRuns: 300 },
    );
    expect(await counts()).toEqual(before);
  });

  it('is refused when it is cut, extended, or combined from two', async () => {
    const [first = '', second = ''] = paths.links;
    const [claim, signature] = first.split('~');
    const [otherClaim, otherSignature] = second.split('~');
    const ofSecondEmail = claim?.replace((ids[0] ?? '').slice(4), (ids[1] ?? '').slice(4));
    for (const path of [
      '/t/c/',
      '/t/c/x',
      first.slice(0, -1),
      `${first}A`,
      `${first}%00`,
      `${first}/`,
      `${claim}~${otherSignature}`,
      `${otherClaim}~${signature}`,
      `${ofSecondEmail}~${signature}`,
      `${claim?.replace(/\.0\.0$/, '.1.0')}~${signature}`,
      `${claim?.replace(/\.0\.0$/, '.00.0')}~${signature}`,
      `${claim?.toUpperCase()}~${signature}`,
      `${claim}~${'A'.repeat(22)}`,
      claim ?? '',
    ])
      await expectRefused(path);
  });

  it('is refused when a pixel is followed as a link, or a link fetched as a pixel', async () => {
    const [link = ''] = paths.links;
    await expectRefused(paths.pixel.replace('/t/o/', '/t/c/'));
    await expectRefused(paths.pixel.replace('/t/o/', '/t/c/').replace('.gif', ''));
    await expectRefused(link.replace('/t/c/', '/t/o/'));
    await expectRefused(`${link.replace('/t/c/', '/t/o/')}.gif`);
    await expectRefused(paths.pixel.replace('.gif', '.png'));
  });

  it('cannot be redirected by a parameter', async () => {
    const answer = await fetchFromMail(app, `${paths.links[0]}?url=https://evil.test/&u=https://evil.test/`);
    expect(answer).toMatchObject({ status: 302, headers: { location: 'https://one.test/' } });
  });
});
