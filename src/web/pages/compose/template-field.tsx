import { SelectField } from '../../components/form/field.js';
import { Problem } from '../../components/problem.js';
import { useTemplateList } from '../templates/list/use-template-list.js';

interface Props {
  /** The ID of the chosen template; empty without one. */
  value: string;
  onChange(id: string): void;
}

/** A choice of one of all templates. Not shown as long as there is none. */
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
