import { ArrowLeft, Save, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useServiceChange } from '../../../api/calls.js';
import { Tag } from '../../../components/badge.js';
import { Button, IconButton } from '../../../components/button.js';
import { ConfirmDialog } from '../../../components/confirm-dialog.js';
import { Problem } from '../../../components/form/form.js';
import { removeDraft } from '../drafts.js';
import { removeSample, type Sample } from '../sample/use-sample.js';
import type { Saving } from './editor.js';
import styles from './editor.module.css';
import { SendTest } from './send-test.js';
import type { DraftState } from './use-draft.js';

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
  const deletion = useDeletion(id, draft);
  const close = () => setDialog(undefined);
  const error = (draft.isChanged ? saving.error : undefined) ?? deletion.error;
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Link href="/templates" className={styles.back ?? ''} aria-label="All templates" title="All templates">
          <ArrowLeft size={18} aria-hidden />
        </Link>
        <h2 className={styles.name}>
          <bdi>{draft.base.name}</bdi>
        </h2>
        <span role="status">{draft.isChanged && <Tag>Unsaved changes</Tag>}</span>
        <span className={styles.space} />
        <IconButton label="Delete the template" icon={Trash2} onClick={() => setDialog('delete')} />
        {draft.isChanged && <Button onClick={() => draft.discard(draft.base)}>Discard changes</Button>}
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
        <ConfirmDialog
          title={`Delete template “${draft.base.name}”?`}
          action="Delete"
          onConfirm={() => {
            close();
            deletion.run();
          }}
          onClose={close}
        >
          <p>Emails that were sent with it remain. This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </header>
  );
}

function useDeletion(id: string, draft: DraftState) {
  const [, navigate] = useLocation();
  const deletion = useServiceChange('templates.delete');
  const onSuccess = () => {
    draft.discard(draft.base);
    removeDraft(id);
    removeSample(id);
    navigate('/templates');
  };
  return { error: deletion.error, run: () => deletion.mutate({ params: { id } }, { onSuccess }) };
}
