/** Returns the known name with the fewest edits from a name. Allows `most` edits (default: a third of the name's length). */
export function nearestName(name: string, known: readonly string[], most?: number): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = editDistance(simplify(name), simplify(candidate));
    if (
      distance <= (most ?? Math.ceil(candidate.length / 3)) &&
      distance < (best?.distance ?? Number.POSITIVE_INFINITY)
    ) {
      best = { name: candidate, distance };
    }
  }
  return best?.name;
}

/** Treats `scheduledAt`, `scheduled-at` and `scheduled_at` as the same name. */
function simplify(name: string): string {
  return name.slice(0, 64).replace(/[_-]/g, '').toLowerCase();
}

/**
 * Counts the letters to add, remove, replace, or swap with the next one. fastest-levenshtein is not used: it counts a swap as two
 * edits, so an id with two letters swapped would get no suggestion.
 */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : substitution;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution, swap));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Returns whether a text consists of the parts of a glob in their order, with any text between them. */
export function matchesParts([first = '', ...others]: readonly string[], text: string): boolean {
  const last = others.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  // Matching each part as far left as possible leaves the most text for the parts after it.
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

/** Extensions of files that programs show without running them. Any other one is followed by `.txt`. */
const SAFE_EXTENSIONS = new Set(
  (
    '.txt .csv .tsv .json .log .md .ics .vcf .eml .pdf .rtf .doc .docx .xls .xlsx .ppt .pptx .odt .ods .odp .png .jpg ' +
    '.jpeg .gif .webp .bmp .tif .tiff .heic .mp3 .m4a .wav .ogg .mp4 .mov .webm .zip .gz .tgz .tar .7z .asc .sig .bin'
  ).split(' '),
);
/** An extension: the only part of the sender's file name that is used. */
const EXTENSION = /[^/\\](\.[a-z0-9]{1,8})$/;
const IMAGE_TYPE = /^image\/(png|jpeg|gif|webp)$/;

/** Returns the extension of a file that an attachment is saved to, from the name and type that its sender chose. */
export function safeExtension(filename: string, type: string): string {
  const extension = EXTENSION.exec(filename.toLowerCase())?.[1];
  if (extension !== undefined) return SAFE_EXTENSIONS.has(extension) ? extension : `${extension}.txt`;
  // An inline image often has no file name.
  return IMAGE_TYPE.test(type) ? `.${type.slice('image/'.length)}` : '.bin';
}
