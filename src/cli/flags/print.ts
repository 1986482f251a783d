import { Flags } from '@oclif/core';

/** Declares the flag of commands that open the browser. */
export const printFlag = {
  print: Flags.boolean({ description: 'Print the address, and do not open the browser.' }),
};
