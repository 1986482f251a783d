import { useLocation } from 'wouter';
import { useServiceChange } from '../../../api/calls.js';
import { TextField } from '../../../components/form/field.js';
import { FormDialog } from '../../../components/form/form.js';

/** The content of a new template, with one placeholder. The API requires HTML. */
const FIRST = {
  html: '<h1>Hello {{name}}</h1>\n<p>This is a new template.</p>\n',
  text: 'Hello {{name}}\n\nThis is a new template.\n',
};

/** Asks for what a new template needs, and opens it. */
export function CreateTemplate({ onClose }: { onClose(): void }) {
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
