import { basename, extname } from 'node:path';
import type { AttachmentInput } from '../../contract/service/attachment-input.js';
import { readBytes } from '../flags/values/input.js';

/** Media types of common attachments. Other files are application/octet-stream. */
const mediaTypes: Record<string, string> = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.ics': 'text/calendar',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};

export async function readAttachment(path: string): Promise<AttachmentInput> {
  const bytes = await readBytes('--attach', path);
  return {
    filename: path === '-' ? 'stdin' : basename(path),
    content: bytes.toString('base64'),
    contentType: mediaTypes[extname(path).toLowerCase()] ?? 'application/octet-stream',
  };
}
