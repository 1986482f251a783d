/** A large content that is already stored, in chunks. */
export interface StoredContent {
  key: string;
  /** The size in bytes. */
  size: number;
}

/** A content to insert. */
export type Content = Uint8Array | StoredContent;

export function isStored(content: Content): content is StoredContent {
  return 'key' in content;
}

export interface Attachment {
  filename: string;
  contentType: string;
  /** The content ID without angle brackets; null if the HTML does not refer to the attachment. */
  contentId: string | null;
  disposition: 'attachment' | 'inline';
  content: Uint8Array;
}

/** An attachment to insert. */
export interface NewAttachment extends Omit<Attachment, 'content'> {
  content: Content;
}

export interface AttachmentInfo extends Omit<Attachment, 'content'> {
  /** Position in the email's list, from 0. It stays the same when another attachment's row is damaged and left out. */
  position: number;
  /** The size in bytes. */
  size: number;
}
