import { Eraser } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useControlChange, useServiceChange } from '../../api/calls.js';
import { useServiceClock } from '../../api/service-clock.js';
import { Button } from '../../components/button.js';
import { SelectField, TextAreaField, TextField } from '../../components/form/field.js';
import { Form } from '../../components/form/form.js';
import { Page } from '../../components/page/page.js';
import { Loaded, Problem } from '../../components/states.js';
import { useTemplateList } from '../templates/list/use-template-list.js';
import { AttachmentsField } from './attachments-field.js';
import { type Draft, inWordsOfForm, messageOf, requestOf } from './draft.js';
import { Addresses, ApiFields, Content } from './fields.js';
import { composeMessage } from './message.js';
import { type Composed, type DraftState, useDraft, useOriginal } from './use-draft.js';

/** Sends a test email. */
export function ComposePage() {
  const from = useSearchParams()[0].get('from') ?? '';
  const original = useOriginal(from);
  const [attempt, setAttempt] = useState(0);
  return (
    <Page title="Compose" about="Sends a test email to this server. It is not delivered to real mailboxes.">
      <Loaded query={original}>
        {(original) => (
          <Editor
            key={`${from} ${attempt}`}
            from={from}
            original={original}
            onDiscard={() => setAttempt((before) => before + 1)}
          />
        )}
      </Loaded>
    </Page>
  );
}

const TRANSPORTS = {
  api: { label: 'REST API', hint: 'The same request as an application sends.' },
  smtp: {
    label: 'SMTP',
    hint: 'The message is added as if it was received over SMTP. This page cannot connect to the SMTP port.',
  },
} as const;

interface EditorProps {
  from: string;
  original: Composed;
  onDiscard(): void;
}

function Editor({ from, original, onDiscard }: EditorProps) {
  const state = useDraft(from, original);
  const { draft, attachments, change } = state;
  const send = useSend(state);
  const isApi = draft.transport === 'api';
  const hasTemplate = isApi && draft.template_id !== '';
  const discard = () => {
    state.forget();
    onDiscard();
  };
  return (
    <Form
      action="Send"
      onSubmit={send}
      tools={
        state.isChanged && (
          <Button icon={Eraser} onClick={discard}>
            Discard
          </Button>
        )
      }
    >
      <SelectField
        label="Send over"
        name="transport"
        value={draft.transport}
        onChange={({ target }) => change({ transport: target.value as Draft['transport'] })}
        hint={TRANSPORTS[draft.transport].hint}
      >
        {Object.entries(TRANSPORTS).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <Addresses state={state} />
      {isApi && <TemplateField value={draft.template_id} onChange={(template_id) => change({ template_id })} />}
      <TextField
        label="Subject"
        name="subject"
        value={draft.subject}
        onChange={({ target }) => change({ subject: target.value })}
        spellCheck
        hint={hasTemplate ? 'Replaces the subject of the template.' : undefined}
      />
      {hasTemplate ? (
        <TextAreaField
          label="Variables"
          name="variables"
          value={draft.variables}
          onChange={({ target }) => change({ variables: target.value })}
          hint={'Values for the placeholders of the template, in JSON, such as {"name": "Ada"}.'}
        />
      ) : (
        <Content state={state} />
      )}
      <AttachmentsField attachments={attachments} areKept={state.areFilesKept} onChange={state.setAttachments} />
      {isApi && <ApiFields state={state} />}
    </Form>
  );
}

interface Props {
  /** The ID of the chosen template; empty without one. */
  value: string;
  onChange(id: string): void;
}

/** A choice of one of all templates. Hidden until the first exists. */
export function TemplateField({ value, onChange }: Props) {
  const { data: templates, error } = useTemplateList();
  if (error && !templates) return <Problem error={error} />;
  if (value === '' && !templates?.length) return null;
  const isListed = value === '' || templates?.some(({ id }) => id === value);
  return (
    <SelectField label="Template" name="template_id" value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">None</option>
      {!isListed && <option value={value}>{templates ? `${value} (deleted)` : value}</option>}
      {templates?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

/** Returns a function that sends the draft, forgets it, and opens the email. */
export function useSend({ draft, attachments, forget }: DraftState) {
  const [, navigate] = useLocation();
  const clock = useServiceClock();
  const request = useServiceChange('emails.send', 'summary');
  const capture = useControlChange('emails.capture', 'summary');
  return async () => {
    const now = clock?.now() ?? Date.now();
    let sent: { id: string };
    if (draft.transport === 'api') {
      sent = await request.mutateAsync({ body: requestOf(draft, attachments, now) }).catch((error: unknown) => {
        throw inWordsOfForm(error, draft);
      });
    } else {
      const { message, envelope } = messageOf(draft, attachments);
      const bytes = composeMessage(message, new Date(now), crypto.getRandomValues(new Uint32Array(4)).join('.'));
      sent = await capture.mutateAsync({ query: envelope, body: repeatable(bytes) });
    }
    forget();
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
