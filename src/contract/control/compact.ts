import * as z from 'zod';
import type { Contract } from '../endpoint.js';
import { ADMIN } from '../vocabulary/key-kinds.js';
import { controlRoutes } from '../vocabulary/routes.js';

/** Defines the control API's endpoint that makes the database smaller. */

const bytes = (description: string) => z.int().min(0).meta({ description });

const CompactRequest = z
  .object({
    max_bytes: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Stop after about this number of bytes, to show progress (default: return all).' }),
    full: z.boolean().default(false).meta({
      description: 'Rewrite the whole database. All other requests wait meanwhile.',
    }),
  })
  .refine(({ full, max_bytes }) => !full || max_bytes === undefined, 'must not contain both full and max_bytes');

/** Sizes in bytes. */
const Compacted = z.object({
  size_before: bytes('Size of the database before the call.'),
  size: bytes('Size of the database now.'),
  free: bytes('Part of the size that is not used and can still be returned.'),
});

export const compactEndpoints = {
  compact: {
    ...controlRoutes.compact,
    summary: 'Compact the database',
    keyKinds: ADMIN,
    description:
      'Deleted emails leave unused space, which later emails take. This returns it to the disk in short transactions, so ' +
      'that other requests go on.',
    body: CompactRequest,
    response: Compacted,
    status: 200,
    errors: ['invalid', 'conflict', 'forbidden'],
  },
} as const satisfies Contract;
