import { useId } from 'react';
import { bounceTypes, complaintTypes, type Outcome } from '../../../../contract/vocabulary/outcome.js';
import { incompatibleDetails } from '../../../../contract/vocabulary/outcome-details.js';
import { SelectField, TextField } from '../../../components/form/field.js';
import type { EmailDetails } from '../types.js';

type Detail = 'bounce_type' | 'complaint_type' | 'reason' | 'url' | 'user_agent' | 'ip_address' | 'delay';

/** Fields for the details of an outcome. Empty ones get the server's values. */
export function DetailFields({ outcome, links }: { outcome: Outcome; links: EmailDetails['links'] }) {
  const has = (name: Detail, value = 'any') => incompatibleDetails({ outcome, [name]: value }).length === 0;
  return (
    <>
      {has('bounce_type', 'hard') && <Choice label="Bounce type" name="bounce_type" values={bounceTypes} />}
      {has('complaint_type') && <Choice label="Complaint type" name="complaint_type" values={complaintTypes} />}
      {has('reason') && <TextField label="Reason" name="reason" placeholder="550 5.1.1 The mailbox does not exist" />}
      {has('url') && <LinkField links={links} />}
      {has('user_agent') && <TextField label="User agent" name="user_agent" placeholder="A common one" />}
      {has('ip_address') && <TextField label="IP address" name="ip_address" placeholder="192.0.2.1" />}
      {has('delay') && (
        <TextField
          label="Delay"
          name="delay"
          placeholder={outcome === 'deferred' ? '5m' : '0s'}
          hint="On the service’s clock, such as 30s, 5m or 2h."
        />
      )}
    </>
  );
}

function Choice({ label, name, values }: { label: string; name: Detail; values: readonly string[] }) {
  return (
    <SelectField label={label} name={name}>
      {values.map((value) => (
        <option key={value}>{value}</option>
      ))}
    </SelectField>
  );
}

/** The link to click: one of the email, or another. */
function LinkField({ links }: { links: EmailDetails['links'] }) {
  const id = useId();
  const urls = [...new Set(links.map(({ href }) => href).filter((href) => /^https?:/.test(href)))];
  const hint = urls.length === 0 ? 'The email has no link. Enter the URL to click.' : undefined;
  return (
    <>
      <TextField label="Link" name="url" type="url" list={id} defaultValue={urls[0]} hint={hint} />
      <datalist id={id}>
        {urls.map((url) => (
          <option key={url} value={url} />
        ))}
      </datalist>
    </>
  );
}
