import * as z from 'zod';
import { singleLineText, withVisibleText } from '../fields.js';
import { ATTACHMENTS_BYTES, FILE_NAME_BYTES } from '../vocabulary/limits.js';
import { linePattern, utf8Length } from '../vocabulary/text.js';

/** Defines the attachments of a request to send an email. Specification: Send Email; gap 34. */

const MEDIA_TYPE =
  /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:[\p{Zs}\ufeff]*;[\p{Zs}\ufeff]*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"\\\p{Cc}\u2028\u2029]*"))*$/u;

/** One loop without groups: the stack of others grows with the attachment. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** The last character before each padding. Others would encode bits that decoding drops. */
const LAST_CHARACTER = [/./, /[AEIMQUYcgkosw048]/, /[AQgw]/];

function paddingOf(base64: string): 0 | 1 | 2 {
  return base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
}

function isCompleteBase64(value: string): boolean {
  const padding = paddingOf(value);
  return value.length % 4 === 0 && LAST_CHARACTER[padding]?.test(value.at(-1 - padding) ?? '') === true;
}

/** Returns the number of bytes that a base64 text encodes. */
export function decodedLength(base64: string): number {
  return (base64.length / 4) * 3 - paddingOf(base64);
}

const NAME_TOO_LONG = `must be at most ${FILE_NAME_BYTES} bytes in UTF-8`;

const FileName = withVisibleText(singleLineText(FILE_NAME_BYTES, 0, NAME_TOO_LONG))
  .regex(/^[^/\\]*$/u, 'must be a file name without a path')
  .refine((value) => value !== '.' && value !== '..', 'must not be . or ..')
  .refine((value) => utf8Length(value) <= FILE_NAME_BYTES, NAME_TOO_LONG)
  .meta({ pattern: linePattern({ without: String.raw`/\\` }), not: { enum: ['.', '..'] }, examples: ['receipt.pdf'] });

export const AttachmentInput = z.object({
  filename: FileName,
  content: z
    .string()
    .min(1, { error: 'must not be empty', abort: true })
    .regex(BASE64, { error: 'must be base64, without line breaks', abort: true })
    .refine(isCompleteBase64, 'must be complete base64, with padding')
    .meta({
      description: 'File content, in base64.',
      maxLength: Math.ceil(ATTACHMENTS_BYTES / 3) * 4,
      contentEncoding: 'base64',
      examples: ['JVBERi0xLjcK'],
    }),
  contentType: singleLineText(255, 1)
    .regex(MEDIA_TYPE, 'must be a media type such as application/pdf')
    .meta({ pattern: MEDIA_TYPE.source, description: 'Media type.', examples: ['application/pdf'] }),
});
export type AttachmentInput = z.infer<typeof AttachmentInput>;
