import type Database from 'better-sqlite3';
import { tagForm } from '../common/tables/mail/tags.js';

/** Stores the forms of all tags again. */
export function renewTagForms(db: Database.Database): void {
  db.function('tag_form', { deterministic: true }, (tag) => tagForm(String(tag)));
  db.exec('DELETE FROM main.tag_forms; INSERT INTO main.tag_forms SELECT DISTINCT tag_form(tag), tag FROM main.tags');
}
