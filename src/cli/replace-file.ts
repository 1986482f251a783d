import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';

export interface ReplaceOptions {
  /** Exactly these permissions; else those that the user's files have. */
  mode?: number;
  /** How the draft becomes the file, where a rename will not do. */
  place?: (draft: string, file: string) => void;
}

/**
 * Writes a file beside its place and moves it there: nobody reads half of it, and an interruption leaves what stood there. What
 * cannot be written leaves nothing. @throws what the system says.
 */
export function replaceFile(file: string, text: string, { mode, place = renameSync }: ReplaceOptions = {}): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, text, mode === undefined ? {} : { mode });
    // One that an earlier process left here has the permissions it had.
    if (mode !== undefined) chmodSync(draft, mode);
    place(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
