import type { Check } from '../check.js';
import { checks as analytics } from './analytics.js';
import { checks as apiKeys } from './api-keys.js';
import { checks as domains } from './domains.js';
import { checks as emails } from './emails.js';
import { checks as envelope } from './envelope.js';
import { checks as outcomes } from './outcomes.js';
import { checks as send } from './send.js';
import { checks as templates } from './templates.js';
import { checks as webhooks } from './webhooks.js';

/** Lists every check of the suite. */
export const checks: Check[] = [
  ...envelope,
  ...send,
  ...emails,
  ...templates,
  ...domains,
  ...apiKeys,
  ...webhooks,
  ...outcomes,
  ...analytics,
];
