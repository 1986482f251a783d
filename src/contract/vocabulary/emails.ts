/**
 * The statuses of an email. Separate from the schemas, so that commands start without zod. Specification: States and
 * transitions; gaps 2 and 3.
 */
export const emailStatuses = ['scheduled', 'sent', 'delivered', 'bounced', 'complained', 'cancelled'] as const;

/** The statuses of a recipient. An email itself is never dropped (gap 41). */
export const recipientStatuses = [...emailStatuses, 'dropped'] as const;

/** The statuses that the specification lists for the filter of a list. Specification: List Emails; gap 30. */
export const filterStatuses: readonly string[] = ['sent', 'delivered', 'bounced', 'complained'];

export function isFilterStatus(status: string): boolean {
  return filterStatuses.includes(status);
}

/** Why a link is in an email. */
export const linkKinds = ['verify', 'reset', 'magic', 'invite', 'unsubscribe', 'other'] as const;
export type LinkKind = (typeof linkKinds)[number];

/**
 * Extensions of attachments that programs show without running them, with spaces around each. Any other one is followed
 * by `.txt`.
 */
const SAFE_EXTENSIONS =
  ' .txt .csv .tsv .json .log .md .ics .vcf .eml .pdf .rtf .doc .docx .xls .xlsx .ppt .pptx .odt .ods .odp .png .jpg ' +
  '.jpeg .gif .webp .bmp .tif .tiff .heic .mp3 .m4a .wav .ogg .mp4 .mov .webm .zip .gz .tgz .tar .7z .asc .sig .bin ';

/** An extension: the only part of the sender's file name that is used. */
const EXTENSION = /[^/\\](\.[a-z0-9]{1,8})$/;

const IMAGE_TYPE = /^image\/(png|jpeg|gif|webp)$/;

/** Returns the extension of a file that an attachment is saved to, from the name and type that its sender chose. */
export function safeExtension(filename: string, type: string): string {
  const extension = EXTENSION.exec(filename.toLowerCase())?.[1];
  if (extension !== undefined) return SAFE_EXTENSIONS.includes(` ${extension} `) ? extension : `${extension}.txt`;
  // An inline image often has no file name.
  return IMAGE_TYPE.test(type) ? `.${type.slice('image/'.length)}` : '.bin';
}
