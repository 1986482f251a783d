import type { Pagination } from '../contract/fields.js';
import type { Page } from './model.js';

/** Specification: List Emails, `pagination`. */
export function paginate({ limit, offset }: Page, total: number): Pagination {
  return { total, limit, offset, has_more: offset + limit < total };
}
