import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useReadOnFocus, useService, useServiceChange } from '../../api/calls.js';
import { StatusBadge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { CopyCommand } from '../../components/copy-text.js';
import { TextField } from '../../components/form/field.js';
import { FormDialog } from '../../components/form/form.js';
import { Page } from '../../components/page/page.js';
import { EmptyState, Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';
import tables from '../../components/table.module.css';
import { Time } from '../../components/time.js';
import { type Domain, flags } from './domain.js';
import { DomainView } from './domain-view.js';

/** The sending domains, or one of them. */
export function DomainsPage() {
  const { domain } = useParams<{ domain?: string }>();
  useReadOnFocus('domains', 'dns');
  return domain === undefined ? <DomainList /> : <DomainView key={domain} name={domain} />;
}

export function DomainList() {
  const [isAdding, setAdding] = useState(false);
  const domains = useService('domains.list', {});
  return (
    <Page
      title="Domains"
      about="Domains that you send from, and whether their DNS records are published."
      actions={
        <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
          Add domain
        </Button>
      }
    >
      <Loaded query={domains}>
        {({ domains }) => (domains.length > 0 ? <DomainTable domains={domains} /> : <NoDomains />)}
      </Loaded>
      {isAdding && <AddDomain onClose={() => setAdding(false)} />}
    </Page>
  );
}

function DomainTable({ domains }: { domains: Domain[] }) {
  return (
    <Table label="Domains" wide columns={['Domain', 'Status', 'Last verification', 'Added']}>
      {domains.map((domain) => (
        <tr key={domain.domain}>
          <th scope="row" className={tables.name}>
            <Link href={`/domains/${encodeURIComponent(domain.domain)}`}>{domain.domain}</Link>
          </th>
          <td>
            <StatusBadge status={domain.status} />
          </td>
          <td>{foundText(domain)}</td>
          <td className={`${tables.keep} ${tables.muted}`} data-label="Added:">
            <Time at={domain.created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function foundText(domain: Domain): string {
  const found = flags.filter(({ flag }) => domain[flag]).map(({ label }) => label);
  if (found.length > 0) return `${found.join(', ')} found`;
  return domain.status === 'pending' ? 'Not verified yet' : 'None found';
}

function NoDomains() {
  return (
    <EmptyState title="No domains yet">
      <p>Add the domain that your application sends from, here or with a command:</p>
      <CopyCommand text="svc domains add mail.example.com" />
    </EmptyState>
  );
}

function AddDomain({ onClose }: { onClose(): void }) {
  const [, navigate] = useLocation();
  const { mutateAsync: create } = useServiceChange('domains.create', 'dns');
  const submit = async (fields: FormData) => {
    const { domain } = await create({ body: { domain: String(fields.get('domain')).trim() } });
    navigate(`/domains/${encodeURIComponent(domain)}`);
  };
  return (
    <FormDialog title="Add a domain" action="Add" onSubmit={submit} onClose={onClose}>
      <TextField label="Domain" name="domain" placeholder="mail.example.com" data-autofocus />
    </FormDialog>
  );
}
