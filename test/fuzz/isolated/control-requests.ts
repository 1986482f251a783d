import fc from 'fast-check';
import { controlDocument } from '../../../src/contract/openapi/control-document.js';
import { operationsOf } from '../../support/openapi.js';
import { type FuzzRequest, requestOf } from '../http/request-arbitrary.js';
import { mutated } from '../mail/mutations.js';
import { seedMessages } from '../mail/seed-messages.js';

/** A request to the control API. Its placeholders of IDs are filled in by the child, which has the server. */
export interface ControlRequest extends FuzzRequest {
  operationId: string;
}

export const CONTROL_KEY = 'svc_test_fuzz';
/** Stands for an archive of the server in the body of an import. */
export const ARCHIVE = 'archive of the server';

/** Resources that exist, by the operations whose path names one. `known-email-2` stands for the third email. */
const KNOWN: [operations: RegExp, names: string[]][] = [
  [/^(emails|inbox)\./, placeholders('email')],
  [/^deliveries\./, placeholders('delivery')],
  [/^rules\./, placeholders('rule')],
  [/^faults\./, placeholders('fault')],
  [/^suppressions\./, ['gone@example.test']],
  [/^workspaces\./, ['worker-1', 'default']],
  [/^dns\./, ['known.example']],
];

function placeholders(kind: string): string[] {
  return Array.from({ length: 4 }, (_, index) => `known-${kind}-${index}`);
}

/** Generates requests to every operation of the control API, right and wrong. */
export function controlRequests(): fc.Arbitrary<ControlRequest> {
  const document = controlDocument({ version: '0', server: { url: '/_svc', description: '' } });
  const context = {
    document,
    prefix: '/_svc',
    apiKey: CONTROL_KEY,
    known: Object.fromEntries(
      operationsOf(document).map(({ operationId }) => [
        operationId,
        KNOWN.find(([operations]) => operations.test(operationId))?.[1] ?? [],
      ]),
    ),
    knownFields: { ids: placeholders('email').map((id) => [id]), email_id: placeholders('email') },
    bytes: {
      'message/rfc822': mutated(seedMessages()),
      'application/gzip': fc.oneof(
        fc.constant(Buffer.from(ARCHIVE)),
        fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      ),
    },
  };
  return fc.oneof(
    ...operationsOf(document).map((operation) =>
      requestOf(operation, context).map((request) => ({ ...request, operationId: operation.operationId })),
    ),
  );
}
