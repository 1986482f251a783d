import type Database from 'better-sqlite3';
import type { Pattern } from '../../../contract/vocabulary/query/query.js';
import { searchForm } from '../../../contract/vocabulary/text.js';
import { NAMES_MAX, type NamedField } from '../../common/search/conditions.js';
import { tagForm } from '../../common/search/texts.js';

/** Finds the names of tags, workspaces and templates that a pattern matches. */
export class Names {
  readonly #tagsOfForm;
  readonly #tagsLike;
  readonly #all;

  constructor(db: Database.Database) {
    this.#tagsOfForm = db.prepare('SELECT tag FROM tag_forms WHERE form = ?').pluck();
    this.#tagsLike = db.prepare(`SELECT tag FROM tag_forms WHERE form GLOB ? LIMIT ${NAMES_MAX + 1}`).pluck();
    // Jumps from each name to the next one in the index.
    const distinct = (name: string) =>
      db
        .prepare(
          `WITH RECURSIVE names (name) AS (
             SELECT min(${name}) FROM emails WHERE ${name} IS NOT NULL
             UNION ALL SELECT (SELECT min(${name}) FROM emails WHERE ${name} > names.name) FROM names
               WHERE names.name IS NOT NULL)
           SELECT name FROM names WHERE name IS NOT NULL LIMIT ${NAMES_MAX + 1}`,
        )
        .pluck();
    this.#all = { workspace: distinct('workspace'), template: distinct('template_id') };
  }

  /** Returns the tags that a pattern matches, and perhaps others; undefined if that is unknown. */
  tags(pattern: Pattern): string[] | undefined {
    if (pattern.kind === 'contains') return this.#tagsOfForm.all(tagForm(pattern.text)) as string[];
    if (pattern.kind !== 'glob') return undefined;
    const parts = pattern.parts.map((part) => searchForm(part).replace(/[[?*]/g, '[$&]'));
    return upTo(NAMES_MAX, this.#tagsLike.all(parts.join('*')) as string[]);
  }

  /** Returns all workspaces or templates: at most one more than `NAMES_MAX`. */
  all(field: NamedField): string[] {
    return this.#all[field].all() as string[];
  }
}

function upTo(max: number, names: string[]): string[] | undefined {
  return names.length > max ? undefined : names;
}
