import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { useServiceChange } from '../../../api/calls.js';
import { Tag } from '../../../components/badge.js';
import { Button } from '../../../components/button.js';
import { CopyCommand } from '../../../components/copy-text.js';
import { TextField } from '../../../components/form/field.js';
import { FormDialog } from '../../../components/form/form.js';
import { plural } from '../../../components/format.js';
import { loadable } from '../../../components/loadable.js';
import { Page } from '../../../components/page/page.js';
import { EmptyState, Loaded } from '../../../components/states.js';
import { Table } from '../../../components/table.js';
import table from '../../../components/table.module.css';
import { Time } from '../../../components/time.js';
import { drafts } from '../drafts.js';
import styles from './template-list.module.css';
import { type ListedTemplate, useTemplateList } from './use-template-list.js';

/** All templates, newest first, and a search of their names, subjects and IDs. */
export function TemplateList() {
  const templates = useTemplateList();
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
      Create template
    </Button>
  );
  return (
    <Page title="Templates" about="Emails with placeholders, which the API fills in." actions={create}>
      <Loaded query={templates}>{(templates) => <Found templates={templates} />}</Loaded>
      {isCreating && <CreateTemplate onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Found({ templates }: { templates: readonly ListedTemplate[] }) {
  const [parameters, setParameters] = useSearchParams();
  const search = parameters.get('search') ?? '';
  if (templates.length === 0) return <NoTemplates />;
  const shown = templates.filter((template) => matches(template, search));
  return (
    <>
      <search className={styles.search}>
        <TextField
          label="Search templates"
          type="search"
          value={search}
          onChange={({ target: { value } }) => setParameters(value === '' ? {} : { search: value }, { replace: true })}
        />
      </search>
      {shown.length > 0 ? (
        <TemplateTable templates={shown} />
      ) : (
        <EmptyState title="No templates match">
          <p>
            No name, subject or ID contains <code>{search}</code>.
          </p>
          <Button onClick={() => setParameters({}, { replace: true })}>Show all templates</Button>
        </EmptyState>
      )}
    </>
  );
}

function TemplateTable({ templates }: { templates: readonly ListedTemplate[] }) {
  return (
    <Table caption={plural(templates.length, 'template')} wide columns={['Name', 'Subject', 'ID', 'Updated']}>
      {templates.map(({ id, name, subject, updated_at }) => (
        <tr key={id}>
          <td className={styles.name}>
            <Link href={`/templates/${id}`}>
              <bdi>{name}</bdi>
            </Link>{' '}
            {drafts.read(id) && <Tag>Unsaved changes</Tag>}
          </td>
          <td className={styles.subject}>
            <bdi>{subject}</bdi>
          </td>
          <td className={`${table.muted} ${table.keep}`}>
            <code>{id}</code>
          </td>
          <td className={`${table.muted} ${table.keep}`}>
            <Time at={updated_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function NoTemplates() {
  return (
    <EmptyState title="No templates yet">
      <p>Create one here, or from a starter on the command line:</p>
      <CopyCommand text={'svc templates init welcome\nsvc templates push'} label="Copy the commands" />
    </EmptyState>
  );
}

function matches({ id, name, subject }: ListedTemplate, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  return [id, name, subject].some((text) => text.toLowerCase().includes(wanted));
}

/** The content of a new template, with one placeholder. The API requires HTML. */
const FIRST = {
  html: '<h1>Hello {{name}}</h1>\n<p>This is a new template.</p>\n',
  text: 'Hello {{name}}\n\nThis is a new template.\n',
};

/** Asks for what a new template needs, and opens it. */
function CreateTemplate({ onClose }: { onClose(): void }) {
  const [, navigate] = useLocation();
  const creation = useServiceChange('templates.create');
  const create = async (fields: FormData) => {
    const [name, subject] = [String(fields.get('name')), String(fields.get('subject'))];
    const { id } = await creation.mutateAsync({ body: { name, subject, ...FIRST } });
    navigate(`/templates/${id}`);
  };
  return (
    <FormDialog title="Create template" action="Create" onSubmit={create} onClose={onClose}>
      <TextField label="Name" name="name" data-autofocus />
      <TextField label="Subject" name="subject" hint="May contain placeholders, such as {{name}}." />
    </FormDialog>
  );
}

const EditorPage = loadable(() => import('../editor/editor-page.js').then((file) => file.EditorPage));

/** The list of templates, or the editor of one. */
export function TemplatesPage() {
  const { id } = useParams<{ id?: string }>();
  if (id === undefined) return <TemplateList />;
  return <EditorPage key={id} id={id} />;
}
