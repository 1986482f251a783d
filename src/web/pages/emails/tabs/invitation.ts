/** Reads invitations to calendars. RFC 5545. */

const NAMES: Readonly<Record<string, string>> = {
  SUMMARY: 'Event',
  DTSTART: 'Starts',
  DTEND: 'Ends',
  RRULE: 'Repeats',
  LOCATION: 'Location',
  ORGANIZER: 'Organizer',
  ATTENDEE: 'Attendees',
  DESCRIPTION: 'Description',
};

interface Property {
  name: string;
  parameters: ReadonlyMap<string, string>;
  value: string;
}

/** Returns the fields of the first event by their names for people; undefined without an event. */
export function readInvitation(text: string): Record<string, string> | undefined {
  // A line that starts with a space continues the one before.
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const begin = lines.indexOf('BEGIN:VEVENT');
  const end = lines.indexOf('END:VEVENT', begin);
  if (begin < 0 || end < 0) return undefined;
  const fields: Record<string, string> = {};
  // Alarms have descriptions of their own.
  let isInPart = false;
  for (const line of lines.slice(begin + 1, end)) {
    const property = readProperty(line);
    if (!property) continue;
    if (property.name === 'BEGIN' || property.name === 'END') isInPart = property.name === 'BEGIN';
    if (isInPart || !Object.hasOwn(NAMES, property.name)) continue;
    const name = NAMES[property.name] as string;
    const value = readableValue(property);
    fields[name] = property.name === 'ATTENDEE' && fields[name] ? `${fields[name]}\n${value}` : value;
  }
  return fields;
}

function readProperty(line: string): Property | undefined {
  const [, name, parameters = '', value] = /^([^;:]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) return undefined;
  const found = parameters.matchAll(/;([^=;]+)=("[^"]*"|[^";]*)/g);
  return {
    name: name.toUpperCase(),
    parameters: new Map(Array.from(found, ([, key = '', text = '']) => [key.toUpperCase(), text.replaceAll('"', '')])),
    value,
  };
}

function readableValue({ name, parameters, value }: Property): string {
  if (name.startsWith('DT')) return formatTime(value, parameters.get('TZID'));
  if (name === 'RRULE') return describeRule(value);
  if (name === 'ORGANIZER' || name === 'ATTENDEE') {
    const address = value.replace(/^mailto:/i, '');
    const common = parameters.get('CN');
    const who = common === undefined || common === address ? address : `${common} <${address}>`;
    return name === 'ORGANIZER' ? who : `${who}: ${describeReply(parameters.get('PARTSTAT'))}`;
  }
  return value.replace(/\\n/gi, '\n').replace(/\\([,;\\])/g, '$1');
}

function describeReply(state = 'NEEDS-ACTION'): string {
  return state.toUpperCase() === 'NEEDS-ACTION' ? 'no reply yet' : state.toLowerCase();
}

/** Returns `20261201T100000Z` as `2026-12-01 10:00 UTC`. A time without a zone is that of each participant. */
function formatTime(value: string, zone: string | undefined): string {
  const [, year, month, day, hour, minute, utc] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/.exec(value) ?? [];
  if (year === undefined) return value;
  const time = hour === undefined ? '' : ` ${hour}:${minute} ${utc ? 'UTC' : (zone ?? '(local time, no zone given)')}`;
  return `${year}-${month}-${day}${time}`;
}

const UNITS: Readonly<Record<string, string>> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' };
const DAYS: Readonly<Record<string, string>> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
const SIMPLE = ['FREQ', 'INTERVAL', 'BYDAY', 'COUNT', 'UNTIL', 'WKST'];

/** Returns a simple rule in words, such as `Every 2 weeks on Monday, 10 times`, and any other unchanged. */
function describeRule(value: string): string {
  const parts = new Map(value.split(';').map((part) => part.split('=') as [string, string]));
  const unit = UNITS[parts.get('FREQ') ?? ''];
  const days = parts.get('BYDAY')?.split(',') ?? [];
  const isSimple = [...parts.keys()].every((key) => SIMPLE.includes(key)) && days.every((day) => DAYS[day]);
  if (unit === undefined || !isSimple || (days.length > 0 && unit !== 'week')) return value;
  const interval = parts.get('INTERVAL') ?? '1';
  const every = interval === '1' ? `Every ${unit}` : `Every ${interval} ${unit}s`;
  const on = days.length > 0 ? ` on ${days.map((day) => DAYS[day]).join(', ')}` : '';
  const count = parts.get('COUNT');
  const until = parts.get('UNTIL');
  const times = count === undefined ? '' : count === '1' ? ', once' : `, ${count} times`;
  return `${every}${on}${times}${until === undefined ? '' : ` until ${formatTime(until, undefined)}`}`;
}
