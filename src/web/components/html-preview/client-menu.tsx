import { ImageOff } from 'lucide-react';
import { type ClientViewId, clientViewNamed, clientViews } from '../../../contract/vocabulary/client-views.js';
import { IconButton } from '../button.js';

interface Props {
  choice: ClientChoice | undefined;
  onChange(choice: ClientChoice | undefined): void;
}

/** Chooses the mail client whose view is shown, and whether it shows images. */
export function ClientMenu({ choice, onChange }: Props) {
  const select = (name: string) => {
    const view = clientViewNamed(name);
    const { images = 'on' } = choice ?? {};
    onChange(view && { client: view.name, images, hasPicture: view.hasPicture });
  };
  return (
    <>
      <select aria-label="Mail client" value={choice?.client ?? ''} onChange={({ target }) => select(target.value)}>
        <option value="">As written</option>
        {clientViews.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
      {choice && (
        <IconButton
          label={choice.images === 'on' ? 'Block images' : 'Show images'}
          icon={ImageOff}
          aria-pressed={choice.images === 'off'}
          onClick={() => onChange({ ...choice, images: choice.images === 'on' ? 'off' : 'on' })}
        />
      )}
    </>
  );
}

/** The mail client whose view is shown. */
export interface ClientChoice {
  client: ClientViewId;
  images: 'on' | 'off';
  hasPicture: boolean;
}
