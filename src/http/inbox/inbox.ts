import type { FastifyInstance } from 'fastify';
import type { Core } from '../../core/context.js';
import type { ControlDeps } from '../../core/control/context.js';
import { inboxContent } from './content.js';
import { inboxLeave } from './leave.js';
import { inboxPages } from './pages.js';
import { inboxSession } from './session.js';

export interface InboxRoutesOptions {
  core: Core;
  control: ControlDeps;
  basePath: string;
  /** The directory of the built page (default: that of the installation). */
  webDirectory?: string | undefined;
}

/** Registers the web inbox, which needs the control API. */
export async function inbox(
  server: FastifyInstance,
  { core, control, basePath, webDirectory }: InboxRoutesOptions,
): Promise<void> {
  if (!control.controlEnabled) return;
  await inboxPages(server, { core, basePath, directory: webDirectory });
  await inboxSession(server, { core, control });
  await inboxContent(server, { core, control, basePath });
  await inboxLeave(server, { core, inbox: control.inbox });
}
