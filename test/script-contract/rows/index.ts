import type { Row } from '../row.js';
import { account } from './account.js';
import { emails } from './emails.js';
import { local, thisMachine } from './local.js';
import { templates } from './templates.js';
import { webhooks } from './webhooks.js';

/** Every command, some of them several times. */
export const rows: readonly Row[] = [...emails, ...templates, ...account, ...webhooks, ...local, ...thisMachine];
