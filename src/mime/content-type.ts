/** Reads the Content-Type of a part, also an invalid one: RFC 2045, section 5. */

export interface ContentType {
  /** In lower case. */
  type: string;
  /** By name in lower case; of a name that occurs twice, the first. */
  params: Map<string, string>;
  /** Whether mailparser reads the field in the same way. */
  isPlain: boolean;
  isValid: boolean;
}

const TOKEN = "[!#$%&'*+.^_`{|}~0-9A-Za-z-]{1,200}";
const TYPE = new RegExp(`^${TOKEN}/${TOKEN}$`);
const NAMES = '(?:charset|boundary|name|format|delsp|type|method)';
/** A separator before a known parameter that is not a semicolon. */
const SEPARATOR = new RegExp(`^[ \\t,]{1,9}(?=${NAMES}\\*?[ \\t]{0,9}=)`, 'i');
const SHORT_NAMES: Readonly<Record<string, string>> = {
  html: 'text/html',
  'html/text': 'text/html',
  multipart: 'multipart/mixed',
};

/**
 * Reads a field. An invalid type is text, as RFC 2045 section 5.2 recommends, unless the part is a file.
 * @param value unfolded
 */
export function readContentType(value: string, isFile: boolean): ContentType {
  const { pieces, isPlain } = split(value);
  const given = (pieces[0]?.includes('=') ? '' : (pieces.shift() ?? '')).trim().toLowerCase();
  const isValid = TYPE.test(given);
  const params = new Map<string, string>();
  for (const piece of pieces) {
    const equals = piece.indexOf('=');
    const name = piece.slice(0, Math.max(0, equals)).trim().toLowerCase();
    if (name !== '' && !params.has(name)) params.set(name, piece.slice(equals + 1));
  }
  const isWhole = !joinSegments(params, 'boundary') && !joinSegments(params, 'charset');
  const type = isValid ? given : validType(given, params, isFile || params.has('name'));
  const boundary = params.get('boundary');
  if (boundary !== undefined) params.set('boundary', boundary.trimEnd());
  return { type, params, isValid, isPlain: isPlain && isWhole && isValid && boundary === boundary?.trimEnd() };
}

function validType(given: string, params: ReadonlyMap<string, string>, isFile: boolean): string {
  const known = SHORT_NAMES[/^.*[a-z/]/s.exec(given)?.[0] ?? ''];
  if (known !== undefined) return known;
  if (params.has('boundary')) return 'multipart/mixed';
  return isFile ? 'application/octet-stream' : 'text/plain';
}

/** Joins a parameter that is given in segments (RFC 2231, section 3). Returns whether it was. */
function joinSegments(params: Map<string, string>, name: string): boolean {
  let joined = '';
  for (let index = 0; ; index += 1) {
    const key = [`${name}*${index}`, `${name}*${index}*`, ...(index === 0 ? [`${name}*`] : [])].find((each) =>
      params.has(each),
    );
    if (key === undefined) break;
    const value = params.get(key) ?? '';
    joined += key.endsWith('*')
      ? decodedPercents(index === 0 ? value.replace(/^[^']{0,99}'[^']{0,99}'/, '') : value)
      : value;
    params.delete(key);
  }
  if (joined === '' || params.has(name)) return false;
  params.set(name, joined);
  return true;
}

function decodedPercents(value: string): string {
  return value.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Writes a field that every parser reads in the same way. */
export function writeContentType({ type, params }: Pick<ContentType, 'type' | 'params'>): string {
  const written = Array.from(params, ([name, value]) => `; ${name}="${value.replace(/["\\]/g, '\\$&')}"`);
  return type + written.join('');
}

/** A file name without quotation marks may have parentheses. */
const NAME = /^name[ \t]{0,9}=/i;

/** Splits a value at semicolons, and where one is missing. Comments and quotation marks are removed. */
function split(value: string): { pieces: string[]; isPlain: boolean } {
  const pieces: string[] = [];
  let piece = '';
  let depth = 0;
  let quoted = false;
  let isPlain = true;
  /** The length of the piece up to its last character that is not a blank outside of quotation marks. */
  let used = 0;
  const end = () => {
    pieces.push(piece.slice(0, used));
    piece = '';
    used = 0;
  };
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at] as string;
    if (character === '\\' && (quoted || depth > 0)) {
      at += 1;
      if (depth > 0) continue;
      piece += value[at] ?? '';
      used = piece.length;
    } else if (depth > 0) {
      if (character === '(') depth += 1;
      else if (character === ')') depth -= 1;
    } else if (character === '"') quoted = !quoted;
    else if (quoted) {
      piece += character;
      used = piece.length;
    } else if (character === '(' && !NAME.test(piece) && beginsComment(value, at)) {
      depth = 1;
      isPlain = false;
    } else if (character === ';') end();
    else {
      const isBlank = character === ' ' || character === '\t';
      const isSeparator = (isBlank || character === ',') && SEPARATOR.test(value.slice(at, at + 40));
      if (isSeparator && piece.trim() !== '' && !piece.trimEnd().endsWith('=')) {
        isPlain = false;
        end();
      } else if (!isBlank) {
        piece += character;
        used = piece.length;
      } else if (piece !== '' && !piece.endsWith('=')) piece += character;
    }
  }
  end();
  return { pieces: pieces.filter((each) => each !== ''), isPlain };
}

/** Returns whether a parenthesis begins a comment: it follows a blank or a separator, and is closed. */
function beginsComment(value: string, at: number): boolean {
  return (at === 0 || /[ \t;="]/.test(value[at - 1] as string)) && value.includes(')', at);
}

/** Returns the name of a part, also of one without a name. An invitation has the name under which clients open it. */
export function nameOfPart(filename: string | false | null | undefined, type: string, index: number): string {
  if (filename) return filename;
  return /^text\/calendar\b/i.test(type) ? 'invite.ics' : `part-${index + 1}`;
}
