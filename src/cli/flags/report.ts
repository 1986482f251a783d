import { Flags } from '@oclif/core';

/** Declares the flags for a report of the server's warnings. */
export const reportFlags = {
  junit: Flags.string({ description: 'JUnit XML file to write the report to.', helpValue: 'FILE' }),
  'fail-on-warning': Flags.boolean({ description: 'Exit with 3 if there are warnings. Notes do not count.' }),
};
