import { searchForm } from '../../../../contract/vocabulary/helpers/search-form.js';
import type { EmailTags } from '../../../../core/model/emails.js';
import type { Sql } from '../../sql.js';

/** Stores the tags of emails, and the forms in which searches compare them. */
export class TagTable {
  readonly #insert;
  readonly #delete;
  readonly #insertForm;
  readonly #prune;

  constructor(private readonly sql: Sql) {
    this.#insert = sql.prepare('INSERT INTO tags (tag, email_seq, added) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
    this.#delete = sql.prepare('DELETE FROM tags WHERE email_seq = ?');
    this.#insertForm = sql.prepare('INSERT INTO tag_forms (form, tag) VALUES (?, ?) ON CONFLICT DO NOTHING');
    this.#prune = sql.prepare(
      `DELETE FROM tag_forms WHERE ${sql.dialect.among('form')}
         AND NOT EXISTS (SELECT 1 FROM tags WHERE tags.tag = tag_forms.tag)`,
    );
  }

  /** Deletes the forms of those of these tags that no email has. */
  prune(tags: readonly string[]): void {
    if (tags.length > 0) this.#prune.send(this.sql.list([...new Set(tags.map(tagForm))]));
  }

  /** Removes the tags of an email, whose forms the caller prunes. */
  deleteOf(emailSeq: number): void {
    this.#delete.send(emailSeq);
  }

  insert(emailSeq: number, { tags, addedTags }: EmailTags): void {
    for (const tag of [...tags, ...addedTags]) {
      this.#insert.send(tag, emailSeq, tags.includes(tag) ? 0 : 1);
      this.#insertForm.send(tagForm(tag), tag);
    }
  }
}

/** Returns the form in which searches compare a tag. */
export function tagForm(tag: string): string {
  return searchForm(tag).trim();
}
