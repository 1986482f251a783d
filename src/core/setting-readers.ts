import { CLOCK_SETTING, readStored } from './jobs/clock-controller.js';
import { readSecret, SECRET_SETTING } from './mail/tracking/tracking-token.js';
import { PUBLISHED_SETTING, readRecordNames, UNPUBLISHED_SETTING } from './resources/simulated-dns.js';

/** The parser of each setting, by the setting's name. It returns undefined for a value that svc never writes. */
export const settingReaders: Readonly<Record<string, (value: string) => unknown>> = Object.assign(Object.create(null), {
  [CLOCK_SETTING]: readStored,
  [SECRET_SETTING]: readSecret,
  [UNPUBLISHED_SETTING]: readRecordNames,
  [PUBLISHED_SETTING]: readRecordNames,
});
