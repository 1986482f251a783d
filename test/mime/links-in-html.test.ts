import { describe, expect, it } from 'vitest';
import { TAG_ATTRIBUTES_MAX } from '../../src/html/read-html.js';
import { findUrls } from '../../src/mime/extract/links/text-urls.js';
import { findHtmlLinks } from '../../src/mime/html-links.js';
import { LINKS_MAX } from '../../src/mime/limits.js';

const urlsIn = (text: string) => findUrls(text).map(({ url }) => url);
const urls = (html: string) => findHtmlLinks(html).links.map(({ url }) => url);

describe('the links of HTML', () => {
  it('are found without the characters that a browser ignores around and inside them', () => {
    expect(urls('<a href=" \u0001\nhttps://a.test/\t\r\nx y ">a</a>')).toEqual(['https://a.test/x y']);
  });

  // Each took from minutes to days when its time grew with the square of the size.
  it('are found quickly when a link contains megabytes of whitespace', () => {
    expect(urls(`<a href="http://e.test/${' '.repeat(4_000_000)}x">a</a><a href="https://b.test/">b</a>`)).toEqual([
      'https://b.test/',
    ]);
  });

  it('are found quickly after a tag of 50,000 attributes', () => {
    const attributes = Array.from({ length: 50_000 }, (_, n) => `a${n}=1`).join(' ');
    expect(urls(`<a ${attributes} href="https://a.test/">a</a><a href="https://b.test/">b</a>`)).toEqual([
      'https://b.test/',
    ]);
  });

  it('are found among the first attributes of a tag only', () => {
    const tag = (before: number) =>
      `<a ${Array.from({ length: before }, (_, n) => `a${n}=1`).join(' ')} href="https://a.test/">a</a>`;
    expect(urls(tag(TAG_ATTRIBUTES_MAX - 1))).toEqual(['https://a.test/']);
    expect(urls(tag(TAG_ATTRIBUTES_MAX))).toEqual([]);
  });

  it('are limited in number, and the result shows that there are more', () => {
    const html = '<a href="https://a.test/">a</a>'.repeat(LINKS_MAX);
    expect(findHtmlLinks(html)).toMatchObject({ cut: false });
    const more = findHtmlLinks(`${html}<a href="https://b.test/">b</a></body>`);
    expect(more.links).toHaveLength(LINKS_MAX);
    expect(more).toMatchObject({ cut: true, pixelAt: more.pixelAt });
  });
});

describe('the links of a text', () => {
  it('end before a full stop or a bracket', () => {
    expect(urlsIn('(see https://a.test/x.) or http://b.test?! http://. http://a.test')).toEqual([
      'https://a.test/x',
      'http://b.test',
      'http://a.test',
    ]);
  });

  it('are found quickly after megabytes of full stops', () => {
    expect(urlsIn(`http://${'.'.repeat(4_000_000)} https://a.test/`)).toEqual(['https://a.test/']);
  });
});
