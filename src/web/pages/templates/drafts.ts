import { draftsOf } from '../../app/drafts.js';
import type { Content } from './types.js';

export interface Draft {
  /** What the changes were made to. */
  base: Content;
  content: Content;
}

export const drafts = draftsOf<Draft>('template');
