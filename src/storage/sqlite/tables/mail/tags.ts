import type Database from 'better-sqlite3';
import { searchForm } from '../../../../contract/vocabulary/helpers/search-form.js';

/** Stores the tags of emails, and the forms in which searches compare them. */
export class TagTable {
  readonly #insert;
  readonly #insertForm;
  readonly #prune;

  constructor(db: Database.Database) {
    this.#insert = db.prepare('INSERT OR IGNORE INTO tags (tag, email_seq) VALUES (?, ?)');
    this.#insertForm = db.prepare('INSERT OR IGNORE INTO tag_forms (form, tag) VALUES (?, ?)');
    this.#prune = db.prepare(
      'DELETE FROM tag_forms WHERE form = ? AND tag = ? AND NOT EXISTS (SELECT 1 FROM tags WHERE tags.tag = tag_forms.tag)',
    );
  }

  /** Deletes the form of a tag that no email has. */
  prune(tag: string): void {
    this.#prune.run(tagForm(tag), tag);
  }

  insert(emailSeq: number | bigint, tag: string): void {
    this.#insert.run(tag, emailSeq);
    this.#insertForm.run(tagForm(tag), tag);
  }
}

/** Returns the form in which searches compare a tag. */
export function tagForm(tag: string): string {
  return searchForm(tag).trim();
}

/** Defines the function that `renewTagForms` calls, and migrations. */
export function defineTagFunction(db: Database.Database): void {
  db.function('tag_form', { deterministic: true }, (tag) => tagForm(String(tag)));
}

/** Stores the forms of all tags again. */
export function renewTagForms(db: Database.Database): void {
  defineTagFunction(db);
  db.exec('DELETE FROM main.tag_forms; INSERT INTO main.tag_forms SELECT DISTINCT tag_form(tag), tag FROM main.tags');
}
