import { useMutation } from '@tanstack/react-query';
import { useControlChange } from '../../api/calls.js';
import { StatusBadge, Tag } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { CopyText } from '../../components/copy-text.js';
import { Section } from '../../components/page/page.js';
import { Problem } from '../../components/states.js';
import tables from '../../components/table.module.css';
import { type DnsRecord, purposes, stateOf } from './domain.js';
import styles from './domain-view.module.css';

interface Props {
  records: DnsRecord[];
  /** Whether the server simulates the DNS, so that records can be published here. */
  isSimulated: boolean;
}

/** The records of a domain to copy, and whether each of them exists. */
export function DnsRecords({ records, isSimulated }: Props) {
  const { mutateAsync: update } = useControlChange('dns.update');
  const change = useMutation({
    async mutationFn({ names, published }: { names: string[]; published: boolean }) {
      for (const name of names) await update({ params: { name }, body: { published } });
    },
  });
  const missing = records.filter(({ published }) => published === false).map(({ name }) => name);
  return (
    <Section
      title="DNS records"
      actions={
        missing.length > 0 && (
          <Button onClick={() => change.mutate({ names: missing, published: true })}>
            Publish all missing records
          </Button>
        )
      }
    >
      <p className={tables.muted}>
        {isSimulated
          ? 'This server simulates the DNS. Publish or remove records here, then verify the domain.'
          : 'Publish these records in the DNS of the domain, then verify it.'}
      </p>
      {change.error && <Problem error={change.error} />}
      {records.map((record) => (
        <RecordView
          key={record.name}
          record={record}
          onPublish={(published) => change.mutate({ names: [record.name], published })}
        />
      ))}
    </Section>
  );
}

interface RecordProps {
  record: DnsRecord;
  onPublish(published: boolean): void;
}

function RecordView({ record, onPublish }: RecordProps) {
  const { purpose, type, name, value, published, found } = record;
  const { label, about } = purposes[purpose];
  const state = stateOf(record);
  return (
    <article className={styles.record} aria-label={`${label} record`}>
      <div className={styles.head}>
        <h3>{label}</h3>
        <Tag>{type}</Tag>
        <StatusBadge status={state} />
        {published !== null && (
          <Button
            aria-label={`${published ? 'Remove' : 'Publish'} the ${label} record`}
            onClick={() => onPublish(!published)}
          >
            {published ? 'Remove' : 'Publish'}
          </Button>
        )}
      </div>
      <p className={tables.muted}>{about}</p>
      <dl className={styles.fields}>
        <dt>Name</dt>
        <dd>
          <CopyText text={name} label={`Copy the name of the ${label} record`} />
        </dd>
        <dt>Value</dt>
        <dd>
          <CopyText text={value} label={`Copy the value of the ${label} record`} />
        </dd>
        {state === 'different' && (
          <>
            <dt>In the DNS</dt>
            <dd className={styles.found}>
              {found?.slice(0, FOUND_SHOWN).map((each) => (
                <code key={each}>{each.slice(0, FOUND_CHARACTERS)}</code>
              ))}
            </dd>
          </>
        )}
      </dl>
      {state === 'unknown' && <p>The DNS did not answer. Verify the domain to see the reason.</p>}
    </article>
  );
}

/** A name such as the domain's own may have many values of other services. */
const FOUND_SHOWN = 20;
const FOUND_CHARACTERS = 1_000;
