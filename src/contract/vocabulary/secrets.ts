/** Matches an API key or a webhook secret. */
const SECRET = /(svc_(?:test|live)_|whsec_)[\w-]+/gi;

/** What a text with a secret contains. */
const POSSIBLE = /%|svc_|whsec_/i;

/** Returns a text in which every API key and webhook secret is cut to its prefix, even if some of it is percent-encoded. */
export function maskSecrets(text: string): string {
  if (!POSSIBLE.test(text)) return text;
  // The decoded text, and the position of each decoded character in the original.
  let decoded = '';
  const starts: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const escaped = /^%[\da-f]{2}$/i.test(text.slice(at, at + 3));
    starts.push(at);
    decoded += escaped ? String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 3), 16)) : text[at];
    if (escaped) at += 2;
  }
  let masked = '';
  let end = 0;
  for (const { 0: secret, 1: prefix = '', index } of decoded.matchAll(SECRET)) {
    masked += `${text.slice(end, starts[index])}${prefix}…`;
    end = starts[index + secret.length] ?? text.length;
  }
  return masked + text.slice(end);
}
