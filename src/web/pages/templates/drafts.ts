import type { Template } from '../../../contract/service/templates.js';
import { draftsOf } from '../../common/tab.js';

export interface Draft {
  /** What the changes were made to. */
  base: Content;
  content: Content;
}

export const drafts = draftsOf<Draft>('template');

export type Content = Pick<Template, 'name' | 'subject' | 'html' | 'text'>;

export type Part = (typeof parts)[number]['name'];

/** What the editor shows: a part of the template, or its sample data as a form or as JSON. */
export const parts = [
  { name: 'html', title: 'HTML' },
  { name: 'text', title: 'Text' },
  { name: 'data', title: 'Sample data' },
  { name: 'json', title: 'Data as JSON' },
] as const;

export interface DraftState {
  content: Content;
  /** The name when the editing began. */
  name: string;
  isChanged: boolean;
  /** Whether someone else changed the template while there are unsaved changes. */
  hasConflict: boolean;
  change(some: Partial<Content>): void;
  /** Continues from what the server has; unsaved changes remain. */
  rebase(): void;
  /** Replaces unsaved changes with what the server has. */
  discard(): void;
  /** Returns the unsaved changes at this moment, which may not be drawn yet. */
  unsaved(): Changes;
  /** Continues from what a save has written. What was changed meanwhile remains unsaved. */
  saved(content: Content): void;
}

interface Changes {
  /** What the changes were made to. */
  base: Content;
  /** Fields that differ from it. */
  changes: Partial<Content>;
}
