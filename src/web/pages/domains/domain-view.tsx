import { useMutation } from '@tanstack/react-query';
import { ArrowLeft, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useControl, useInbox, useService, useServiceChange } from '../../api/calls.js';
import { isNotFound } from '../../api/failures.js';
import { StatusBadge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ConfirmAction } from '../../components/confirm-action.js';
import { EmptyState } from '../../components/empty-state.js';
import { Problem } from '../../components/form/form.js';
import { Loaded } from '../../components/loaded.js';
import { Page } from '../../components/page/page.js';
import { Section } from '../../components/page/section.js';
import tables from '../../components/table.module.css';
import { Time } from '../../components/time.js';
import { DnsRecords } from './dns-records.js';
import { type Domain, verificationText } from './domain.js';
import styles from './domain-view.module.css';

/** A domain with its DNS records. */
export function DomainView({ name }: { name: string }) {
  const domain = useService('domains.get', { params: { domain: name } });
  const dns = useControl('dns.list', { query: { look_up: name } });
  return (
    <Page
      title="Domains"
      about={
        <Link href="/domains" className={styles.back ?? ''}>
          <ArrowLeft size={16} aria-hidden /> All domains
        </Link>
      }
    >
      {isNotFound(domain.error) ? (
        <EmptyState title="Domain not found">
          <p>{name} was deleted, or it was never added to this server.</p>
        </EmptyState>
      ) : (
        <Loaded query={domain}>
          {(domain) => (
            <Loaded query={dns}>
              {({ dns, records }) => (
                <>
                  <Status domain={domain} />
                  <DnsRecords records={records} isSimulated={dns === 'simulated'} />
                </>
              )}
            </Loaded>
          )}
        </Loaded>
      )}
    </Page>
  );
}

function Status({ domain }: { domain: Domain }) {
  const [, navigate] = useLocation();
  const { client } = useInbox();
  const [isDeleting, setDeleting] = useState(false);
  const verification = useVerification(domain.domain);
  const { mutateAsync: remove } = useServiceChange('domains.delete', 'dns');
  const name = domain.domain;
  const confirm = async () => {
    await remove({ params: { domain: name } });
    navigate('/domains');
  };
  return (
    <Section
      title={name}
      actions={
        <div className={styles.actions}>
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
        </div>
      }
    >
      <p>
        <StatusBadge status={domain.status} />{' '}
        <span className={tables.muted}>
          Added <Time at={domain.created_at} now={client.now ? Date.parse(client.now) : 0} />
        </span>
      </p>
      <div role="status">{verification.data && <p>{verification.data}</p>}</div>
      {verification.error && <Problem error={verification.error} />}
      {isDeleting && (
        <ConfirmAction title={`Delete ${name}?`} action="Delete" onConfirm={confirm} onClose={() => setDeleting(false)}>
          <p>Live API keys cannot send from it anymore. If you add it again, it gets other records.</p>
        </ConfirmAction>
      )}
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
