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
