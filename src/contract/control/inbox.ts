import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { Timestamp } from '../fields.js';
import { EmailParams } from '../service/emails.js';
import { CreateTemplate, RenderedTemplate } from '../service/templates.js';
import { Variables } from '../service/variables.js';
import { TEMPLATE_BODY_BYTES } from '../vocabulary/limits.js';
import { controlRoutes } from '../vocabulary/routes.js';

/** Defines the control API's endpoints for the web inbox. */

const SignedUrl = z.string().regex(/^(?:\/[^/?]+)*\/inbox\/content\//);

/** Pages for a sandboxed frame. */
const frameUrls = {
  html: SignedUrl.meta({ description: 'Page without content of other servers.' }),
  html_remote: SignedUrl.meta({ description: 'Page that loads images, fonts and style sheets of other servers.' }),
};

export const inboxEndpoints = {
  'inbox.code': {
    ...controlRoutes['inbox.code'],
    summary: 'Create a one-time code that opens the web inbox',
    acrossWorkspaces: true,
    description:
      'The code opens one session in a browser, at `/inbox#code=CODE`. The session acts as the API key of this call.',
    response: z.object({
      code: z.string(),
      required: z.boolean().meta({
        description: 'Whether a browser of the user who runs the server needs the code on this machine.',
      }),
      expires_at: Timestamp.meta({ description: 'Time on the machine’s clock. ISO 8601, UTC.' }),
    }),
    status: 201,
  },
  'inbox.urls': {
    ...controlRoutes['inbox.urls'],
    summary: 'Create short-lived URLs of an email’s content',
    description:
      'The URLs need no API key, and expire with the server or after 5 minutes. Pages of HTML are meant for a frame: ' +
      'scripts do not run, links lead to a page that shows their target, and tracking pixels are left out.',
    params: EmailParams,
    response: z.object({
      expires_at: Timestamp.meta({ description: 'Time on the machine’s clock. ISO 8601, UTC.' }),
      html: frameUrls.html.nullable(),
      html_remote: frameUrls.html_remote.nullable(),
      delivered: z
        .array(z.object({ address: z.string(), ...frameUrls }))
        .meta({ description: 'Copy of each recipient of an email with tracking.' }),
      raw: SignedUrl.meta({ description: 'Raw message as text.' }),
      eml: SignedUrl.meta({ description: 'Raw message as a download.' }),
      attachments: z.array(
        z.object({
          index: z.int().min(0),
          url: SignedUrl.nullable().meta({ description: 'Image to display; null for other types.' }),
          download: SignedUrl,
        }),
      ),
    }),
    status: 200,
    errors: ['not_found'],
  },
  'inbox.preview': {
    ...controlRoutes['inbox.preview'],
    summary: 'Render a template that is not saved, for a frame',
    acrossWorkspaces: true,
    description:
      'The result is that of `POST /v1/templates/{id}/render`. Its HTML also has URLs, which need no API key and ' +
      'expire after 5 minutes. A server on SQLite keeps the newest previews, in memory.',
    body: CreateTemplate.omit({ name: true }).extend({ variables: Variables }),
    bodyBytes: TEMPLATE_BODY_BYTES,
    response: RenderedTemplate.extend({
      expires_at: Timestamp.meta({ description: 'Time on the machine’s clock. ISO 8601, UTC.' }),
      urls: z.object(frameUrls),
    }),
    status: 201,
    errors: ['bad_request', 'invalid', 'invalid_variables'],
  },
} as const satisfies Contract;
