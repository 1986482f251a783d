import { safeText } from './text.js';

/** Content for stdout: exactly as it is for a file or a program, without control characters for a terminal. */
export function safeContent({ isTTY }: { isTTY?: boolean }, text: string): string {
  return isTTY ? `${safeText(text)}\n` : text;
}
