/** A label and a text. */
export type Detail = readonly [label: string, text: string];

/** The labels of fields of events, in the order in which they are shown. Other fields are shown elsewhere. */
const LABELS: Record<string, string> = {
  bounce_type: 'Bounce',
  complaint_type: 'Complaint',
  reason: 'Reason',
  smtp_response: 'SMTP response',
  url: 'Link',
  user_agent: 'User agent',
  ip_address: 'IP address',
  location: 'Location',
  feedback_id: 'Feedback ID',
};

/** Texts for values that are names, by field. The data of a triggered event may have any other. */
const TEXTS = new Map([
  ['bounce_type hard', 'hard: the address does not accept email'],
  ['bounce_type soft', 'soft: the address may accept email later'],
  ['reason suppressed', 'The address is suppressed'],
  ['reason invalid_address', 'The address is invalid'],
]);

/** Returns the data of an event in words. */
export function detailsOf(data: Record<string, unknown>): Detail[] {
  return Object.entries(LABELS).flatMap(([name, label]): Detail[] => {
    const text = textOf(data[name]);
    return text === '' ? [] : [[label, TEXTS.get(`${name} ${text}`) ?? text]];
  });
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return Object.values(value).filter(Boolean).join(', ');
  return String(value);
}
