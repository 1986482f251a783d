import * as z from 'zod';
import { warningCodes, warningLevels } from '../vocabulary/warnings.js';

/** Defines a warning as the control API returns it. Gap 40. */

export const WarningRecord = z.object({
  code: z.enum(warningCodes),
  level: z.enum(warningLevels),
  path: z.string().meta({ description: 'Field or parameter; empty for a whole message.' }),
  message: z.string(),
  advice: z.string(),
  strict_status: z
    .int()
    .nullable()
    .meta({ description: 'Status with which --strict refuses the request; null if it does not.' }),
});
