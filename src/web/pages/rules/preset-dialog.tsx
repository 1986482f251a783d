import { useState } from 'react';
import {
  type FaultPreset,
  faultPresetNames,
  faultPresets,
  faultsOfPreset,
} from '../../../contract/vocabulary/faults/presets.js';
import { useControlChange } from '../../api/calls.js';
import { SelectField } from '../../components/form/field.js';
import { FormDialog } from '../../components/form/form.js';

/** Asks for a preset, and adds its faults. */
export function PresetDialog({ onClose }: { onClose(): void }) {
  const [preset, setPreset] = useState<FaultPreset>('provider-outage');
  const create = useControlChange('faults.create');
  const add = async () => {
    for (const body of faultsOfPreset(preset)) await create.mutateAsync({ body });
  };
  return (
    <FormDialog title="Add a preset" action="Add faults" onClose={onClose} onSubmit={add}>
      <SelectField
        label="Preset"
        name="preset"
        value={preset}
        data-autofocus
        hint={faultPresets[preset].description}
        onChange={({ target }) => setPreset(target.value as FaultPreset)}
      >
        {faultPresetNames.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
