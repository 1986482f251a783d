import { useMemo, useState } from 'react';
import { Button } from '../../../components/button.js';
import { formatCount, formatSize } from '../../../components/format.js';
import { Loaded } from '../../../components/states.js';
import styles from '../tabs/structure-tab.module.css';
import type { TabProps } from '../types.js';
import { useRawMessage } from '../use-bytes.js';

/** Number of parts to show at first: a message may have a thousand. */
const SHOWN = 100;

/** The MIME tree of the message. */
export function StructureTab({ email: { id } }: TabProps) {
  const message = useRawMessage(id);
  return <Loaded query={message}>{(bytes) => <Tree bytes={bytes} />}</Loaded>;
}

function Tree({ bytes }: { bytes: Uint8Array }) {
  const tree = useMemo(() => readMimeTree(new TextDecoder('latin1').decode(bytes)), [bytes]);
  const count = useMemo(() => countParts(tree), [tree]);
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <ul className={styles.tree} aria-label="MIME parts">
        <Part part={isWhole ? tree : firstParts(tree, SHOWN)} />
      </ul>
      {!isWhole && count > SHOWN && (
        <div className={styles.more}>
          <Button onClick={() => setWhole(true)}>Show all {formatCount(count)} parts</Button>
        </div>
      )}
    </>
  );
}

function Part({ part }: { part: MimePart }) {
  const { path, type, details, encoding, disposition, contentId, size, parts } = part;
  return (
    <li>
      <div className={styles.part}>
        <span className={styles.path}>{path}</span>
        <code className={styles.type}>{type}</code>
        <span className={styles.size}>{formatSize(size)}</span>
        <span className={styles.details}>
          {[encoding, disposition, contentId, ...details].filter(Boolean).join(' · ')}
        </span>
      </div>
      {parts.length > 0 && (
        <ul>
          {parts.map((each) => (
            <Part key={each.path} part={each} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** Reads the structure of a raw message. RFC 2045 and 2046. Only what a tree shows: no content is decoded. */

export interface MimePart {
  /** The position in the tree: `1`, `1.2`. */
  path: string;
  type: string;
  /** Parameters of the type and the disposition, such as the charset or a file name. */
  details: string[];
  encoding: string;
  disposition: string;
  contentId: string;
  /** Size of the body as sent, in bytes. */
  size: number;
  parts: MimePart[];
}

/** Limits for messages that are made to be slow. */
const DEPTH_MAX = 20;
const PARTS_MAX = 2_000;

/** Reads a message whose bytes are characters, as Latin-1 decodes them. */
export function readMimeTree(message: string): MimePart {
  return readPart(message, '1', 0, { left: PARTS_MAX });
}

function readPart(source: string, path: string, depth: number, budget: { left: number }): MimePart {
  budget.left -= 1;
  const { headers, body } = splitHead(source);
  const type = readValue(headers.get('content-type') ?? 'text/plain');
  const disposition = readValue(headers.get('content-disposition') ?? '');
  const boundary = type.parameters.get('boundary');
  const isMultipart = type.value.startsWith('multipart/') && boundary !== undefined && depth < DEPTH_MAX;
  const sources = isMultipart ? splitParts(body, boundary, budget.left) : [];
  const nested = type.value === 'message/rfc822' && depth < DEPTH_MAX ? [body] : [];
  const details = [...type.parameters, ...disposition.parameters]
    .filter(([name]) => name !== 'boundary')
    .map(([name, value]) => `${name}=${value}`);
  return {
    path,
    type: type.value,
    details: [...new Set(details)],
    encoding: headers.get('content-transfer-encoding')?.trim().toLowerCase() ?? '',
    disposition: disposition.value,
    contentId: headers.get('content-id')?.trim() ?? '',
    size: body.length,
    parts: [...sources, ...nested]
      .slice(0, Math.max(0, budget.left))
      .map((each, index) => readPart(each, `${path}.${index + 1}`, depth + 1, budget)),
  };
}

function splitHead(source: string): { headers: Map<string, string>; body: string } {
  const end = /\r?\n\r?\n/.exec(source);
  // A part without header fields starts with an empty line.
  const startsWithBody = /^\r?\n/.exec(source);
  if (startsWithBody) return { headers: new Map(), body: source.slice(startsWithBody[0].length) };
  const head = end ? source.slice(0, end.index) : source;
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return { headers, body: end ? source.slice(end.index + end[0].length) : '' };
}

/** Returns the value before the first semicolon, and the parameters after it. */
function readValue(text: string): { value: string; parameters: Map<string, string> } {
  const parameters = new Map<string, string>();
  const semicolon = text.indexOf(';');
  const value = (semicolon < 0 ? text : text.slice(0, semicolon)).trim().toLowerCase();
  if (semicolon >= 0) {
    for (const [, name = '', quoted, bare = ''] of text.slice(semicolon).matchAll(PARAMETER)) {
      parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare);
    }
  }
  return { value, parameters };
}

const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;

/** Returns what is between the delimiters: lines that start with `--` and the boundary. */
function splitParts(body: string, boundary: string, max: number): string[] {
  const parts: string[] = [];
  const delimiter = `--${boundary}`;
  let start: number | undefined;
  for (let at = body.indexOf(delimiter); at >= 0 && parts.length < max; at = body.indexOf(delimiter, at + 1)) {
    if (at > 0 && body[at - 1] !== '\n') continue;
    if (start !== undefined) parts.push(body.slice(start, at).replace(/\r?\n$/, ''));
    const after = at + delimiter.length;
    if (body.startsWith('--', after)) return parts;
    const line = body.indexOf('\n', after);
    if (line < 0) return parts;
    start = line + 1;
  }
  // The last delimiter is missing.
  if (start !== undefined && parts.length < max) parts.push(body.slice(start));
  return parts;
}

/** Returns the number of parts of a tree, including its root. */
export function countParts({ parts }: MimePart): number {
  return parts.reduce((sum, part) => sum + countParts(part), 1);
}

/** Returns the tree with its first parts only, in the order in which they are in the message. */
export function firstParts(tree: MimePart, max: number): MimePart {
  let left = max;
  const take = (part: MimePart): MimePart => {
    left -= 1;
    const parts: MimePart[] = [];
    for (const each of part.parts) if (left > 0) parts.push(take(each));
    return { ...part, parts };
  };
  return take(tree);
}
