import type Database from 'better-sqlite3';
import { IS_UNREFERENCED } from '../common/tables/mail/contents.js';

/** Deletes every chunk that no row refers to. Call it only while no process is storing a content. */
export function deleteUnreferencedChunks(db: Database.Database): void {
  db.exec(`DELETE FROM main.chunks WHERE ${IS_UNREFERENCED}`);
}
