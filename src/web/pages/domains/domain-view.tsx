import { useMutation } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useControl, useInbox, useService, useServiceChange } from '../../api/calls.js';
import { StatusBadge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ConfirmAction } from '../../components/dialog.js';
import { Page, Section } from '../../components/page/page.js';
import { EmptyState, Loaded, Problem } from '../../components/states.js';
import tables from '../../components/table.module.css';
import { Time } from '../../components/time.js';
import { DnsRecords } from './dns-records.js';
import { type Domain, verificationText } from './domain.js';

/** A domain with its DNS records. */
export function DomainView({ name }: { name: string }) {
  const domain = useService('domains.get', { params: { domain: name } });
  const dns = useControl('dns.list', { query: { look_up: name } });
  const verification = useVerification(name);
  return (
    <Page
      title={<bdi>{name}</bdi>}
      back={{ href: '/domains', label: 'All domains' }}
      actions={domain.data && <Actions name={name} verification={verification} />}
    >
      <Loaded query={domain} missing={<Missing name={name} />}>
        {(domain) => (
          <Loaded query={dns}>
            {({ dns, records }) => (
              <>
                <Status domain={domain} verification={verification} />
                <DnsRecords records={records} isSimulated={dns === 'simulated'} />
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

function Missing({ name }: { name: string }) {
  return (
    <EmptyState title="Domain not found">
      <p>{name} was deleted, or it was never added to this server.</p>
    </EmptyState>
  );
}

type Verification = ReturnType<typeof useVerification>;

function Actions({ name, verification }: { name: string; verification: Verification }) {
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const { mutateAsync: remove } = useServiceChange('domains.delete', 'dns');
  const confirm = async () => {
    await remove({ params: { domain: name } });
    navigate('/domains');
  };
  return (
    <>
      <Button
        kind="primary"
        onClick={() => verification.isPending || verification.mutate()}
        aria-disabled={verification.isPending}
      >
        Verify
      </Button>
      <Button kind="danger" icon={Trash2} onClick={() => setDeleting(true)}>
        Delete
      </Button>
      {isDeleting && (
        <ConfirmAction title={`Delete ${name}?`} action="Delete" onConfirm={confirm} onClose={() => setDeleting(false)}>
          <p>Live API keys cannot send from it anymore. If you add it again, it gets other records.</p>
        </ConfirmAction>
      )}
    </>
  );
}

function Status({ domain, verification }: { domain: Domain; verification: Verification }) {
  return (
    <Section title="Status">
      <p>
        <StatusBadge status={domain.status} />{' '}
        <span className={tables.muted}>
          Added <Time at={domain.created_at} />
        </span>
      </p>
      <div role="status">{verification.data && <p>{verification.data}</p>}</div>
      {verification.error && <Problem error={verification.error} />}
    </Section>
  );
}

/** Verifies a domain, and describes the result with the records that the DNS has then. */
function useVerification(domain: string) {
  const { client } = useInbox();
  const { mutateAsync: verify } = useServiceChange('domains.verify', 'dns');
  return useMutation({
    async mutationFn() {
      const result = await verify({ params: { domain } });
      const { records } = await client.control('dns.list', { query: { look_up: domain } });
      return verificationText(result, records);
    },
  });
}
