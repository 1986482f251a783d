const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Formats a size in powers of ten: `1.2 MB`. */
export function byteSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${power === 0 ? bytes : (bytes / 1_000 ** power).toFixed(1)} ${UNITS[power]}`;
}
