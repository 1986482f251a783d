/** Draws a terminal's screen, given as text with color codes (SGR), as an SVG image. */

const CELL = { width: 8.4, height: 18 };
const PADDING = 14;
const BACKGROUND = '#16181d';
const FOREGROUND = '#d7dae0';
const COLORS = ['#4b5263', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#abb2bf'];
const PLAIN = { color: FOREGROUND, bold: false, dim: false, inverse: false };

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Escapes text and makes its spaces permanent: an SVG viewer collapses plain ones. */
const spaced = (text) => escaped(text).replaceAll(' ', '&#160;');

/** Returns the style that follows a color code. */
function styleAfter(style, code) {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 7 || code === 27) return { ...style, inverse: code === 7 };
  if (code === 39) return { ...style, color: FOREGROUND };
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { ...style, color: COLORS[code % 10] };
  return style;
}

/** Splits a line into runs of one style, each with its column. */
function runsOf(line, start) {
  const runs = [];
  let style = start;
  let column = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: color codes begin with ESC
  for (const part of line.split(/(\x1b\[[\d;]*m)/)) {
    const codes = part.startsWith('\x1b[') ? part.slice(2, -1).split(';').map(Number) : undefined;
    if (codes) style = codes.reduce(styleAfter, style);
    else if (part !== '') {
      runs.push({ text: part, column, style });
      column += [...part].length;
    }
  }
  return { runs, style };
}

function drawRun({ text, column, style }, row) {
  const x = (PADDING + column * CELL.width).toFixed(1);
  const top = PADDING + row * CELL.height;
  const width = ([...text].length * CELL.width).toFixed(1);
  const fill = style.inverse ? BACKGROUND : style.color;
  const attributes = `${style.bold ? ' font-weight="bold"' : ''}${style.dim ? ' opacity="0.6"' : ''}`;
  const box = style.inverse
    ? `<rect x="${x}" y="${top}" width="${width}" height="${CELL.height}" fill="${style.color}"/>`
    : '';
  if (text.trim() === '') return box;
  return `${box}<text x="${x}" y="${top + 13}" textLength="${width}" fill="${fill}"${attributes}>${spaced(text)}</text>`;
}

export function svgOf(screen, { columns, title }) {
  const lines = screen.trimEnd().split('\n');
  const width = Math.ceil(columns * CELL.width + 2 * PADDING);
  const height = lines.length * CELL.height + 2 * PADDING;
  let style = PLAIN;
  const drawn = lines.flatMap((line, row) => {
    const read = runsOf(line, style);
    style = read.style;
    return read.runs.map((run) => drawRun(run, row)).filter(Boolean);
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>`,
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="14">',
    ...drawn,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}
