/** Reads invitations to calendars. RFC 5545. */

const NAMES = {
  SUMMARY: 'Event',
  DTSTART: 'Starts',
  DTEND: 'Ends',
  LOCATION: 'Location',
  ORGANIZER: 'Organizer',
  DESCRIPTION: 'Description',
} as const;

/** Returns the fields of the first event by their names for people; undefined without an event. */
export function readInvitation(text: string): Record<string, string> | undefined {
  // A line that starts with a space continues the one before.
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const begin = lines.indexOf('BEGIN:VEVENT');
  const end = lines.indexOf('END:VEVENT', begin);
  if (begin < 0 || end < 0) return undefined;
  const fields: Record<string, string> = {};
  for (const line of lines.slice(begin, end)) {
    const value = line.slice(line.indexOf(':') + 1);
    const name = line.slice(0, line.indexOf(':')).split(';')[0] ?? '';
    if (Object.hasOwn(NAMES, name)) fields[NAMES[name as keyof typeof NAMES]] = readableValue(name, value);
  }
  return fields;
}

function readableValue(name: string, value: string): string {
  if (name.startsWith('DT')) return formatTime(value);
  if (name === 'ORGANIZER') return value.replace(/^mailto:/i, '');
  return value.replace(/\\n/gi, '\n').replace(/\\([,;\\])/g, '$1');
}

/** Returns `20261201T100000Z` as `2026-12-01 10:00 UTC`. */
function formatTime(value: string): string {
  const [, year, month, day, hour, minute, zone] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value) ?? [];
  if (year === undefined) return value;
  const time = hour === undefined ? '' : ` ${hour}:${minute}${zone ? ' UTC' : ''}`;
  return `${year}-${month}-${day}${time}`;
}
