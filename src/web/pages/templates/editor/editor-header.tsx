import { ArrowLeft, Save, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useServiceChange } from '../../../api/calls.js';
import { Tag } from '../../../components/badge.js';
import { Button, IconButton } from '../../../components/button.js';
import { ConfirmAction } from '../../../components/confirm-action.js';
import { Problem } from '../../../components/problem.js';
import { drafts } from '../drafts.js';
import { removeSample, type Sample } from '../sample/use-sample.js';
import styles from './editor.module.css';
import { SendTest } from './send-test.js';
import type { DraftState } from './use-draft.js';
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
