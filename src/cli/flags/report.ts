import { Flags } from '@oclif/core';

/** Declares the flags for a report of the server's warnings. */
export const reportFlags = {
  'fail-on-warning': Flags.boolean({ description: 'Exit with 3 if there are warnings. Notes do not count.' }),
};

/** The flag for the report as a file. */
export function reportFileFlag() {
  return Flags.string({ description: 'JUnit XML file to write the report of warnings to.', helpValue: 'FILE' });
}
