import { ArrowLeft, Save, Send, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useServiceChange } from '../../../api/calls.js';
import { readStored, writeStored } from '../../../common/stored.js';
import { Tag } from '../../../components/badge.js';
import { Button, IconButton } from '../../../components/button.js';
import { ConfirmAction } from '../../../components/dialog.js';
import { TextField } from '../../../components/form/field.js';
import { FormDialog } from '../../../components/form/form.js';
import { Problem } from '../../../components/states.js';
import { type DraftState, drafts } from '../drafts.js';
import { removeSample, type Sample } from '../sample/use-sample.js';
import styles from './editor.module.css';
import type { Saving } from './use-saving.js';

interface Props {
  id: string;
  draft: DraftState;
  saving: Saving;
  sample: Sample;
  /** Variables without a sample value. */
  missing: readonly string[];
}

/** The name of the template, and its actions. */
export function EditorHeader({ id, draft, saving, sample, missing }: Props) {
  const [dialog, setDialog] = useState<'delete' | 'send'>();
  const remove = useDeletion(id, draft);
  const close = () => setDialog(undefined);
  const error = draft.isChanged ? saving.error : undefined;
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Link href="/templates" className={styles.back ?? ''} aria-label="All templates" title="All templates">
          <ArrowLeft size={18} aria-hidden />
        </Link>
        <h1 className={styles.name}>
          <bdi>{draft.name}</bdi>
        </h1>
        <span role="status">{draft.isChanged && <Tag>Unsaved changes</Tag>}</span>
        <span className={styles.space} />
        <IconButton label="Delete the template" icon={Trash2} onClick={() => setDialog('delete')} />
        {draft.isChanged && <Button onClick={() => draft.discard()}>Discard changes</Button>}
        <Button icon={Send} onClick={() => setDialog('send')}>
          Send a test
        </Button>
        <Button
          kind="primary"
          icon={Save}
          disabled={!draft.isChanged}
          aria-disabled={saving.isBusy}
          title="Save (Ctrl-S)"
          onClick={() => void saving.save()}
        >
          Save
        </Button>
      </div>
      {error ? <Problem error={error} /> : null}
      {dialog === 'send' && (
        <SendTest id={id} draft={draft} saving={saving} sample={sample} missing={missing} onClose={close} />
      )}
      {dialog === 'delete' && (
        <ConfirmAction title={`Delete template “${draft.name}”?`} action="Delete" onConfirm={remove} onClose={close}>
          <p>Emails that were sent with it remain. This cannot be undone.</p>
        </ConfirmAction>
      )}
    </header>
  );
}

function useDeletion(id: string, draft: DraftState) {
  const [, navigate] = useLocation();
  const { mutateAsync: remove } = useServiceChange('templates.delete');
  return async () => {
    await remove({ params: { id } });
    draft.discard();
    drafts.remove(id);
    removeSample(id);
    navigate('/templates');
  };
}

interface SendTestProps {
  id: string;
  draft: DraftState;
  saving: Saving;
  sample: Sample;
  missing: readonly string[];
  onClose(): void;
}

const KEY = 'svc-template-test';
/** As in the paths of the server's errors. */
const PREFIX = 'variables.';
const FIRST = { to: 'test@example.test', from: 'svc <hello@svc.test>' };

/** Sends the template with the sample data, and opens the email. */
function SendTest({ id, draft, saving, sample, missing, onClose }: SendTestProps) {
  const [, navigate] = useLocation();
  const sending = useServiceChange('emails.send', 'summary');
  const last = lastUsed();
  // A field stays while its value is typed.
  const [asked] = useState(sample.error ? [] : missing);
  // A field that was cleared has an empty value. One that was never typed in has none.
  const typed = useRef(new Map<string, string>());
  const send = async (fields: FormData) => {
    const [to, from] = [String(fields.get('to')), String(fields.get('from'))];
    if (sample.error) throw new Error(`The sample data is not valid JSON: ${sample.error.message}.`);
    const values = Object.fromEntries(typed.current);
    await saving.saveOrThrow();
    const variables = { ...sample.values, ...values };
    const email = await sending.mutateAsync({ body: { to, from, template_id: id, variables } });
    sample.add(values);
    writeStored(KEY, JSON.stringify({ to, from }));
    navigate(`/emails/${email.id}`);
  };
  const action = draft.isChanged ? 'Save and send' : 'Send';
  return (
    <FormDialog title="Send a test" action={action} onSubmit={send} onClose={onClose}>
      <TextField label="To" name="to" defaultValue={last.to} data-autofocus />
      <TextField label="From" name="from" defaultValue={last.from} />
      {draft.isChanged && <p>The email is made from the saved template, so your changes are saved first.</p>}
      {asked.length > 0 && (
        <fieldset className={styles.variables}>
          <legend>Variables without a sample value</legend>
          {asked.map((name) => (
            <TextField
              key={name}
              label={name}
              name={PREFIX + name}
              dir="auto"
              onChange={({ target }) => typed.current.set(name, target.value)}
            />
          ))}
        </fieldset>
      )}
    </FormDialog>
  );
}

/** Returns the addresses of the last test in this browser. */
function lastUsed(): typeof FIRST {
  try {
    return { ...FIRST, ...(JSON.parse(readStored(KEY) ?? '{}') as Partial<typeof FIRST>) };
  } catch {
    return FIRST;
  }
}
