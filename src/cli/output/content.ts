import { safeText } from './text.js';

/** Returns content for stdout: unchanged for a file or a program, without control characters for a terminal. */
export function safeContent({ isTTY }: { isTTY?: boolean }, text: string): string {
  return isTTY ? safeText(text).replace(/\n?$/, '\n') : text;
}
