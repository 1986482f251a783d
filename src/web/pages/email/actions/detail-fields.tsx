import { useId } from 'react';
import type { Outcome } from '../../../../contract/vocabulary/outcome.js';
import { TextField } from '../../../components/form/field.js';
import { hasDetail, OutcomeDetails } from '../../../components/form/outcome-details.js';
import type { EmailDetails } from '../types.js';

/** Fields for the details of an outcome, and of the request that opens or clicks. */
export function DetailFields({ outcome, links }: { outcome: Outcome; links: EmailDetails['links'] }) {
  return (
    <OutcomeDetails outcome={outcome}>
      {hasDetail(outcome, 'url') && <LinkField links={links} />}
      {hasDetail(outcome, 'user_agent') && (
        <TextField
          label="User agent"
          name="user_agent"
          placeholder="Mozilla/5.0 (X11; Linux x86_64)"
          hint="Optional (default: that of a widely used browser or mail program)."
        />
      )}
      {hasDetail(outcome, 'ip_address') && <TextField label="IP address" name="ip_address" placeholder="192.0.2.1" />}
    </OutcomeDetails>
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
