import { readHtml, type Tag } from '../../html/read-html.js';
import { ShownTextReader } from '../../html/shown-text.js';

/** Converts HTML to text for a terminal: what a mail client shows, with items of lists and cells of tables apart. */
export function htmlText(html: string): string {
  const reader = new TerminalReader();
  readHtml(html, reader);
  return reader
    .end()
    .map((line) => line.replaceAll('\t', CELL_GAP))
    .join('\n');
}

const CELL_GAP = '   ';
const BULLET = '- ';
const LISTS = new Set(['ul', 'ol', 'li']);

class TerminalReader extends ShownTextReader {
  protected override shownStart({ tagName }: Tag): void {
    if (tagName === 'li') this.marker = BULLET;
  }

  protected override shownEnd(name: string): void {
    if (LISTS.has(name)) this.marker = '';
  }
}
