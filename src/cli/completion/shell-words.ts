/** Reads words of a shell's command line as they are typed, and quotes text for it. Executes nothing. */

const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export function isShell(name: string | undefined): name is Shell {
  return shells.some((shell) => shell === name);
}

/** The quote that is open at the end of a word: none, `'…`, `"…` or `$'…`. */
export type Quote = '' | "'" | '"' | "$'";

/** The characters that a backslash escapes within quotes. Before other characters it is literal. */
const ESCAPED_IN: Record<Shell, Record<'"' | "'", string>> = {
  bash: { '"': '"$`\\', "'": '' },
  // The history character loses its backslash except in single quotes.
  zsh: { '"': '"$`\\!', "'": '' },
  fish: { '"': '"$\\', "'": "'\\" },
};

const ANSI_LETTERS: Record<string, string> = { a: '\u0007', b: '\b', e: '\u001b', f: '\f', n: '\n', r: '\r', t: '\t' };
/** An escape of `$'…`: a letter or the character itself, or a number of a character. */
const ANSI_ESCAPE = /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|([\s\S]?))/y;

/** Returns the value of a word as far as it is typed, and the quote that is open at its end. */
export function readWord(word: string, shell: Shell): { value: string; quote: Quote } {
  let value = '';
  let quote: Quote = '';
  for (let at = 0; at < word.length; ) {
    const opening: string = quote === '' ? openingAt(word, at, shell) : '';
    if (opening !== '') {
      // Treat a translated string like any other.
      quote = opening === '$"' ? '"' : (opening as Quote);
      at += opening.length;
    } else if (quote !== '' && word.startsWith(quote.slice(-1), at)) {
      quote = '';
      at += 1;
    } else if (word[at] !== '\\') {
      value += word[at];
      at += 1;
    } else {
      const { text, length } = escapeAt(word, at, quote, shell);
      value += text;
      at += length;
    }
  }
  return { value, quote };
}

function openingAt(word: string, at: number, shell: Shell): string {
  const kinds = shell === 'fish' ? ["'", '"'] : ["'", '"', "$'", '$"'];
  return kinds.find((kind) => word.startsWith(kind, at)) ?? '';
}

/** Returns the text that a backslash and the following characters stand for. */
function escapeAt(word: string, at: number, quote: Quote, shell: Shell): { text: string; length: number } {
  if (quote === "$'") {
    ANSI_ESCAPE.lastIndex = at;
    const [all = '', byte, unit, letter = ''] = ANSI_ESCAPE.exec(word) ?? [];
    const number = byte ?? unit;
    const text =
      number === undefined ? (ANSI_LETTERS[letter] ?? letter) : String.fromCharCode(Number.parseInt(number, 16));
    return { text, length: all.length };
  }
  const next = word.charAt(at + 1);
  const escaped = quote === '' ? undefined : ESCAPED_IN[shell][quote];
  // At the end of the typed text, the escaped character is not typed yet.
  const isEscaped = escaped === undefined || (escaped !== '' && escaped.includes(next));
  return isEscaped ? { text: next, length: 2 } : { text: '\\', length: 1 };
}

/** Printable ASCII that is special in a word of bash, and whitespace, which depends on the locale. */
const SPECIAL_IN_BASH = /(?![\w.,:=@%+/-])[\x20-\x7e]|\s/g;

/**
 * Returns the rest of a word for bash, to be inserted after an open quote. bash closes the quote after the only
 * matching name, unless the name ends with that quote: then the text closes it.
 */
export function bashText(text: string, quote: Quote): string {
  switch (quote) {
    case "'":
      return text.replaceAll("'", "'\\''").replace(/'\\''$/, "'\\'");
    case '"':
      // The history character cannot be escaped in double quotes, so they are closed around it.
      return text.replace(/["$`\\]/g, '\\$&').replaceAll('!', '"\\!"') + (/["!]$/.test(text) ? '"' : '');
    case "$'":
      // Written as numbers: during completion, bash treats an escaped quote as the end of the word, but not when it
      // runs the line.
      return text.replace(/['\\!]/g, (character) => `\\x${character.charCodeAt(0).toString(16)}`);
    case '':
      return text.replace(SPECIAL_IN_BASH, '\\$&');
  }
}
