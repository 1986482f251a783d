import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, svc } from '../support/cli/binary.js';

/** The expected files were rendered by another program than svc, and are reviewed when a starter changes. */
const expected = (name: string, file: string) =>
  readFileSync(join(ROOT, 'test/fixtures/templates', name, file), 'utf8');

const starters = readdirSync(join(ROOT, 'templates'));

describe('the starter templates', () => {
  it('are at least eight, and each has its expected output', () => {
    expect(starters.length).toBeGreaterThanOrEqual(8);
    expect(readdirSync(join(ROOT, 'test/fixtures/templates')).sort()).toEqual([...starters].sort());
  });

  it.each(starters)('%s renders its sample to the expected output', async (name) => {
    const { code, stdout, stderr } = await svc(['templates', 'render', name, '--json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      subject: expected(name, 'subject.txt'),
      html: expected(name, 'body.html'),
      text: expected(name, 'body.txt'),
    });
  });

  it.each(starters)('%s is built for mail clients', (name) => {
    const html = readFileSync(join(ROOT, 'templates', name, 'body.html'), 'utf8');
    expect(html).toMatch(/<table role="presentation"/);
    expect(html).toMatch(/prefers-color-scheme: dark/);
    expect(html).toMatch(/<div style="display:none;/);
    expect(html).not.toMatch(/<script|<link|<img|@import|position:|display:\s*(flex|grid)/);
    // Every visible element has its own style, because some clients drop <style>.
    expect(html.match(/<(?:p|h1|td|a)(?![^>]*style=)[^>]*>/g)).toBeNull();
  });
});
