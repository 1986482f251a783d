/** Number of rows that are read at once. Each event reads what is in view again, which is seldom more than one page. */
export const PAGE = 50;

export interface ListPage {
  search: string;
  before: string | undefined;
  page: number;
}

/** Returns the parameters of the call that reads one page of the list. */
export function pageParameters({ search, before, page }: ListPage) {
  return { search, limit: PAGE, offset: page * PAGE, ...(before !== undefined && { cursor: before }) };
}
