import type { Page } from 'playwright-core';

/** IDs of what the server of a view has. */
export interface Ids {
  email: string;
  template: string;
  delivery: string;
  request: string;
}

/** A view of the inbox that tests look at. */
export interface View {
  name: string;
  /** Below the origin (default: `/`). */
  path?: string | ((ids: Ids) => string);
  /** Whether the server has no data. */
  isEmpty?: boolean;
  /** Brings the view up. */
  show(page: Page): Promise<unknown>;
}

/** The domain of the server with data. */
export const DOMAIN = 'mail.example.com';

/** Returns a function that waits for a heading. */
export const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, exact: true }).waitFor();
