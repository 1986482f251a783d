import { useState } from 'react';
import { useLocation } from 'wouter';
import type { AttachmentInput } from '../../api/attachments.js';
import { useControlChange, useService, useServiceChange } from '../../api/calls.js';
import { describeFailure } from '../../api/failures.js';
import { useServiceClock } from '../../api/service-clock.js';
import { FailureView } from '../../components/failure-view.js';
import { CheckField, SelectField, TextAreaField, TextField } from '../../components/form/field.js';
import { Form } from '../../components/form/form.js';
import { Loading } from '../../components/loading.js';
import { Page } from '../../components/page/page.js';
import { AttachmentsField } from './attachments-field.js';
import styles from './compose-page.module.css';
import { type Draft, messageOf, requestOf } from './draft.js';
import { composeMessage } from './message.js';
import { useDraft } from './use-draft.js';

type Transport = 'api' | 'smtp';

/** Sends a test email. */
export function ComposePage() {
  const { opened, error, retry } = useDraft();
  return (
    <Page title="Compose" about="Sends a test email to this server. It is not delivered to real mailboxes.">
      {opened ? (
        <Editor key={opened.key} draft={opened.draft} initial={opened.attachments} />
      ) : error ? (
        <FailureView {...describeFailure(error)} onRetry={retry} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

function Editor({ draft, initial }: { draft: Draft; initial: readonly AttachmentInput[] }) {
  const [transport, setTransport] = useState<Transport>('api');
  const [attachments, setAttachments] = useState(initial);
  const [template, setTemplate] = useState('');
  const send = useSend(transport, attachments);
  const isApi = transport === 'api';
  return (
    <Form action="Send" onSubmit={send}>
      <SelectField
        label="Send over"
        name="transport"
        value={transport}
        onChange={({ target }) => setTransport(target.value as Transport)}
        hint={
          isApi
            ? 'The same request as an application sends.'
            : 'The message is added as if it was received over SMTP. This page cannot connect to the SMTP port.'
        }
      >
        <option value="api">REST API</option>
        <option value="smtp">SMTP</option>
      </SelectField>
      <Addresses draft={draft} />
      {isApi && <TemplateField template={template} onChange={setTemplate} />}
      <TextField
        label="Subject"
        name="subject"
        defaultValue={draft.subject}
        spellCheck
        hint={isApi && template !== '' ? 'Replaces the subject of the template.' : undefined}
      />
      {isApi && template !== '' ? (
        <TextAreaField
          label="Variables"
          name="variables"
          defaultValue="{}"
          hint={'Values for the placeholders of the template, in JSON, such as {"name": "Ada"}.'}
        />
      ) : (
        <>
          <TextAreaField label="HTML" name="html" rows={8} defaultValue={draft.html} />
          <TextAreaField label="Text" name="text" rows={4} defaultValue={draft.text} />
        </>
      )}
      <AttachmentsField attachments={attachments} onChange={setAttachments} />
      {isApi && <ApiFields draft={draft} />}
    </Form>
  );
}

function Addresses({ draft }: { draft: Draft }) {
  return (
    <>
      <div className={styles.columns}>
        <TextField label="From" name="from" defaultValue={draft.from} placeholder="Shop <shop@example.test>" />
        <TextField
          label="To"
          name="to"
          defaultValue={draft.to}
          placeholder="ada@example.test, bob@example.test"
          autoFocus
        />
      </div>
      <div className={styles.columns}>
        <TextField label="Cc" name="cc" defaultValue={draft.cc} />
        <TextField label="Bcc" name="bcc" defaultValue={draft.bcc} />
        <TextField label="Reply to" name="reply_to" defaultValue={draft.reply_to} />
      </div>
    </>
  );
}

function TemplateField({ template, onChange }: { template: string; onChange(id: string): void }) {
  const { data } = useService('templates.list', { query: { limit: 100 } });
  if (!data || data.templates.length === 0) return null;
  return (
    <SelectField label="Template" name="template_id" value={template} onChange={({ target }) => onChange(target.value)}>
      <option value="">None</option>
      {data.templates.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

/** Fields that only a request of the API has. */
function ApiFields({ draft }: { draft: Draft }) {
  return (
    <>
      <div className={styles.columns}>
        <TextField label="Tags" name="tags" defaultValue={draft.tags} hint="Separated by commas." />
        <TextField
          label="Send at"
          name="scheduled_at"
          placeholder="Now"
          hint="A duration such as 2h, or a time such as 2027-01-31T09:00:00Z, on the service’s clock."
        />
      </div>
      <CheckField label="Track opens" name="track_opens" defaultChecked />
      <CheckField label="Track clicks" name="track_clicks" defaultChecked />
    </>
  );
}

/** Returns a function that sends the fields, and opens the email. */
function useSend(transport: Transport, attachments: readonly AttachmentInput[]) {
  const [, navigate] = useLocation();
  const clock = useServiceClock();
  const request = useServiceChange('emails.send', 'summary');
  const capture = useControlChange('emails.capture', 'summary');
  return async (fields: FormData) => {
    const now = clock?.now() ?? Date.now();
    let sent: { id: string };
    if (transport === 'api') {
      sent = await request.mutateAsync({ body: requestOf(fields, attachments, now) });
    } else {
      const { message, envelope } = messageOf(fields, attachments);
      const bytes = composeMessage(message, new Date(now), crypto.getRandomValues(new Uint32Array(4)).join('.'));
      sent = await capture.mutateAsync({ query: envelope, body: repeatable(bytes) });
    }
    navigate(`/emails/${sent.id}`);
  };
}

/** Returns a body that can be sent again, after a call that had to sign in. */
function repeatable(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
}
