/** Settings that this browser keeps for the next visit, if it keeps any for this page. */

/** Reads a setting; null if the browser has kept none. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The setting lasts until the page is closed.
  }
}

export function removeStored(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Then it kept none.
  }
}
