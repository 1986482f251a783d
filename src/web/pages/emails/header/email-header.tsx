import { ArrowLeft, ChevronDown, ChevronUp, Ellipsis, Link2, Mail, MailOpen, Printer, Trash2, Zap } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { certainCodes, mainLink } from '../../../../client/checks/check.js';
import { useControlChange, useServiceChange } from '../../../api/calls.js';
import { StatusBadge } from '../../../components/badge.js';
import { Button, IconButton, IconLink } from '../../../components/button.js';
import { CopyButton, useCopying } from '../../../components/copy-text.js';
import { Dialog } from '../../../components/dialog.js';
import { formatSize, withVisibleOverrides } from '../../../components/format.js';
import { loadable } from '../../../components/loadable.js';
import { Menu } from '../../../components/menu/menu.js';
import { Problem } from '../../../components/states.js';
import { Time } from '../../../components/time.js';
import styles from '../../emails/header/email-header.module.css';
import type { EmailActions } from '../list/use-email-actions.js';
import { isElsewhere, useEmailKeys } from '../list/use-list-keys.js';
import { type EmailDetails, LINK_KINDS, type TabProps, useContentUrls } from '../types.js';
import { Recipients, Tags } from './recipients.js';

interface Props {
  email: EmailDetails;
  suffix: string;
  /** The HTML that is shown in a frame, which is printed from a page of its own. */
  frameUrl: string | undefined;
  actions: EmailActions;
  onClose(at?: string): void;
  previous: string | undefined;
  next: string | undefined;
}

/** What is always shown of an opened email. */
export function EmailHeader({ email, ...tools }: Props) {
  const isDropped = email.recipients.length > 0 && email.recipients.every((each) => each.status === 'dropped');
  const status = isDropped ? 'dropped' : email.status;
  const heading = useRef<HTMLHeadingElement>(null);
  // The next keys are those of the email: its tabs and links follow.
  useEffect(() => {
    if (!isElsewhere()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <header className={styles.header}>
      <Tools email={email} {...tools} />
      <div className={styles.title}>
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{withVisibleOverrides(email.subject) || (email.parsing ? 'Reading the message…' : '(no subject)')}</bdi>
        </h1>
        <StatusBadge status={status} />
      </div>
      <Recipients email={email} status={status} />
      <div className={styles.facts}>
        <Time at={email.created_at} />
        <span>{formatSize(email.size)}</span>
        <span>{email.origin === 'smtp' ? 'Received over SMTP' : 'Sent with the API'}</span>
        <Tags email={email} />
      </div>
      {email.parse_error && (
        <p className={styles.problem} role="alert">
          The message cannot be parsed: {email.parse_error} Its source is complete.
        </p>
      )}
      {email.status === 'scheduled' && <Scheduled email={email} />}
      <Highlights email={email} />
    </header>
  );
}

function Scheduled({ email: { id, scheduled_at } }: { email: EmailDetails }) {
  const cancelling = useServiceChange('emails.cancel', 'summary');
  return (
    <div className={styles.facts}>
      {scheduled_at && (
        <span>
          Scheduled for <Time at={scheduled_at} />
        </span>
      )}
      <Button disabled={cancelling.isPending} onClick={() => cancelling.mutate({ params: { id } })}>
        Cancel sending
      </Button>
      {cancelling.error && <Problem error={cancelling.error} />}
    </div>
  );
}

function Tools({ email, suffix, frameUrl, actions, onClose, previous, next }: Props) {
  const [, navigate] = useLocation();
  const { data: urls } = useContentUrls(email.id);
  const { copy, report } = useCopying();
  const goTo = (id: string | undefined) => id && navigate(`/emails/${id}${suffix}`);
  const toggleRead = () => actions.markOne(email.id, !email.read);
  const remove = () => actions.removeOne(email.id, () => onClose(next ?? previous));
  useEmailKeys(true, { toggleRead, remove });
  return (
    <div className={styles.tools}>
      <IconButton label="Back to the list" icon={ArrowLeft} onClick={() => onClose()} />
      <span className={styles.space} />
      <IconButton label="Newer email" icon={ChevronUp} keys="k" disabled={!previous} onClick={() => goTo(previous)} />
      <IconButton label="Older email" icon={ChevronDown} keys="j" disabled={!next} onClick={() => goTo(next)} />
      <IconButton
        label={email.read ? 'Mark as unread' : 'Mark as read'}
        icon={email.read ? Mail : MailOpen}
        keys="e"
        onClick={toggleRead}
      />
      {frameUrl === undefined ? (
        <IconButton label="Print" icon={Printer} onClick={() => window.print()} />
      ) : (
        <IconLink
          label="Print"
          icon={Printer}
          href={`${frameUrl}&print=yes`}
          title="Open all of it in a new tab, to print it there"
        />
      )}
      <IconButton label="Delete" icon={Trash2} keys="#" onClick={remove} />
      <ActionsMenu email={email} />
      <Menu trigger={<IconButton label="More" icon={Ellipsis} />}>
        {({ MenuItem, MenuLink }) => (
          <>
            {urls && (
              <MenuLink href={urls.eml} download>
                Download .eml
              </MenuLink>
            )}
            {urls && <MenuLink href={urls.raw}>Open the raw message</MenuLink>}
            <MenuItem onSelect={() => navigate(`/emails/${email.id}/code${suffix}`)}>Copy as code</MenuItem>
            <MenuItem onSelect={() => navigate(`/compose?from=${email.id}`)}>Edit as new</MenuItem>
            <MenuItem onSelect={() => copy(email.id)}>Copy the email ID</MenuItem>
            <MenuItem onSelect={() => copy(location.href)}>Copy a link to here</MenuItem>
          </>
        )}
      </Menu>
      {report}
    </div>
  );
}

function linkLabel({ kind, text, href }: EmailDetails['links'][number]): string {
  const name = LINK_KINDS[kind];
  return text.toLowerCase().includes(name.toLowerCase()) ? text : `${name}: ${text || href}`;
}

const CODES_SHOWN = 3;

/** What a test usually needs of an email: its one-time code, and its link to verify, reset or sign in. */
function Highlights({ email: { codes, links } }: { email: EmailDetails }) {
  const shown = certainCodes(codes).slice(0, CODES_SHOWN);
  const link = mainLink(links);
  if (shown.length === 0 && !link) return null;
  return (
    <ul className={styles.list} aria-label="Codes and links">
      {shown.map(({ value, context }) => (
        <li key={value} title={context}>
          <span className={styles.label}>Code</span>
          <code>{value}</code>
          <CopyButton text={value} label={`Copy code ${value}`} />
        </li>
      ))}
      {link && (
        <li>
          <Link2 size={16} aria-hidden />
          <a href={link.href} target="_blank" rel="noopener noreferrer">
            {linkLabel(link)}
          </a>
          <CopyButton text={link.href} label="Copy link" />
        </li>
      )}
    </ul>
  );
}

const ReleaseDialog = loadable(() => import('./release-dialog.js').then((file) => file.ReleaseDialog), null);
const SimulateDialog = loadable(() => import('./simulate-dialog.js').then((file) => file.SimulateDialog), null);

/** What can be done with an email as its sender or its recipients. */
function ActionsMenu({ email }: TabProps) {
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<'simulate' | 'release'>();
  const close = () => setDialog(undefined);
  const resending = useControlChange('emails.resend', 'summary', 'deliveries');
  const sendAgain = () => {
    if (resending.isPending) return;
    const onSuccess = ({ id }: { id: string }) => navigate(`/emails/${id}`);
    resending.mutate({ params: { id: email.id } }, { onSuccess });
  };
  return (
    <>
      <Menu trigger={<IconButton label="Actions" icon={Zap} />}>
        {({ MenuItem }) => (
          <>
            <MenuItem onSelect={() => setDialog('simulate')}>Simulate an outcome…</MenuItem>
            <MenuItem onSelect={sendAgain}>Send again</MenuItem>
            <MenuItem onSelect={() => setDialog('release')}>Release to a real mailbox…</MenuItem>
          </>
        )}
      </Menu>
      {dialog === 'simulate' && <SimulateDialog email={email} onClose={close} />}
      {dialog === 'release' && <ReleaseDialog email={email} onClose={close} />}
      {resending.error && (
        <Dialog title="The email cannot be sent again" onClose={resending.reset}>
          <Problem error={resending.error} />
        </Dialog>
      )}
    </>
  );
}
