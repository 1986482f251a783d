import type { Pagination } from '../contract/fields.js';
import type { Page } from './model/resources.js';

/** Returns the `pagination` of a list. Specification: List Emails. */
export function paginate({ limit, offset }: Page, total: number): Pagination {
  return { total, limit, offset, has_more: offset + limit < total };
}
