import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

describe('the links of an email', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.closeClean());

  async function linksOf(content: { html: string; text?: string }): Promise<string[]> {
    const email = { to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', ...content };
    const { json } = await app.call('POST', '/v1/emails', email);
    const { links } = (await app.call('GET', `/_svc/emails/${json.data.id}`)).json.data;
    return links.map(({ href }: { href: string }) => href);
  }

  it('are those of its HTML and then of its text, each once, in order, untracked', async () => {
    const html =
      '<a href="https://b.test/reset?a=1&amp;b=2">x</a><!-- <a href="https://no.test/">n</a> --><a href="https://a.test/">y</a><a href="https://a.test/">z</a>';
    expect(await linksOf({ html, text: 'https://text.test/' })).toEqual([
      'https://b.test/reset?a=1&b=2',
      'https://a.test/',
      'https://text.test/',
    ]);
  });

  it('are the URLs of its text, without the full stop after them', async () => {
    expect(await linksOf({ html: '<p>x</p>', text: 'See https://a.test/x. Or http://b.test (really)!' })).toEqual([
      'https://a.test/x',
      'http://b.test',
    ]);
  });

  it('are empty in an email without any', async () => {
    expect(await linksOf({ html: '<p>x</p>' })).toEqual([]);
  });
});
