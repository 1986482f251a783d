import type { Column } from './column-kinds.js';

/** Workspaces in SQL: as a condition, and as a column of tables whose rows are unique per workspace. */

/** The condition that a row belongs to a workspace. Bind `scopeOf` to `@scope`. */
export const IN_SCOPE = "(coalesce(workspace, '') = @scope OR @scope IS NULL)";

/** Returns the value to bind for a workspace; null for rows of no workspace, undefined for all rows. */
export function scopeOf(workspace: string | null | undefined): string | null {
  return workspace === undefined ? null : (workspace ?? '');
}

/** A column that is empty for no workspace: NULLs would not be equal in a unique index. */
export const workspaceOrNone = (name: string): Column<string | null> => ({
  name,
  read: (row) => row.text(name) || null,
  write: (value) => value ?? '',
});
