import { useState } from 'react';
import { useLocation } from 'wouter';
import { useServiceChange } from '../../../api/calls.js';
import { Button } from '../../../components/button.js';
import { EmptyState } from '../../../components/empty-state.js';
import { Loaded } from '../../../components/loaded.js';
import { Problem } from '../../../components/problem.js';
import { drafts } from '../drafts.js';
import { Editor } from './editor.js';
import { useTemplate } from './use-template.js';

/** The editor of a template, or why it cannot be edited. */
export function EditorPage({ id }: { id: string }) {
  const template = useTemplate(id);
  return (
    // A template may be deleted while it is edited.
    <Loaded query={template} missing={<Deleted id={id} />}>
      {(saved) => <Editor id={id} saved={saved} />}
    </Loaded>
  );
}

/** Unsaved changes outlive the template. */
function Deleted({ id }: { id: string }) {
  const [, navigate] = useLocation();
  const [error, setError] = useState<unknown>();
  const creation = useServiceChange('templates.create');
  const draft = drafts.read(id);
  const create = async () => {
    if (!draft || creation.isPending) return;
    const { name, subject, html, text } = draft.content;
    try {
      const created = await creation.mutateAsync({ body: { name, subject, html, text } });
      drafts.remove(id);
      navigate(`/templates/${created.id}`);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <EmptyState title="Template not found" isPage>
      <p>This template was deleted, or it never existed on this server.</p>
      {draft && <p>Your unsaved changes to it still exist in this tab.</p>}
      {error !== undefined && <Problem error={error} />}
      {draft && (
        <Button kind="primary" onClick={() => void create()}>
          Create it again
        </Button>
      )}
      <Button onClick={() => navigate('/templates')}>Show all templates</Button>
    </EmptyState>
  );
}
