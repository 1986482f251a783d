import { MAGIC_DOMAIN, type Outcome, outcomes } from '../../../contract/vocabulary/outcome.js';
import { CopyButton } from '../../components/copy-text.js';
import { Section } from '../../components/page/section.js';
import tables from '../../components/table.module.css';

const EFFECTS: Record<Outcome, string> = {
  delivered: 'Delivered',
  bounced: 'Bounces permanently. Another address would be suppressed',
  'soft-bounced': 'Bounces temporarily, as with a full mailbox',
  complained: 'Delivered, then reported as spam. A label is the type: complained+fraud',
  dropped: 'Not sent. A label is the reason: dropped+suppressed',
  opened: 'Delivered, then opened',
  clicked: 'Delivered, then opened, and its first link clicked',
  deferred: 'Delivered five minutes later',
  none: 'Sent, and nothing else',
};

/** The addresses that simulate an outcome without a rule. */
export function TestAddresses() {
  return (
    <Section title="Test addresses">
      <p className={tables.muted}>
        An email to one of these addresses has its outcome, without a rule. An address may have a label, such as{' '}
        <code>bounced+signup@{MAGIC_DOMAIN}</code>.
      </p>
      <table className={`${tables.table} ${tables.wide}`}>
        <caption className="visually-hidden">Test addresses</caption>
        <thead>
          <tr>
            <th scope="col">Address</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {outcomes.map((outcome) => (
            <tr key={outcome}>
              <td className={tables.address}>
                <span className={tables.copied}>
                  <code>
                    {outcome}@{MAGIC_DOMAIN}
                  </code>
                  <CopyButton text={`${outcome}@${MAGIC_DOMAIN}`} label={`Copy ${outcome}@${MAGIC_DOMAIN}`} />
                </span>
              </td>
              <td>{EFFECTS[outcome]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
