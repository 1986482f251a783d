import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Loading } from './loading.js';

/**
 * Returns a component whose code is loaded when it is first shown, or before that by `load`. Loaded code is shown with
 * the next frame; `lazy` of React shows its fallback for 300 ms even then.
 */
export function loadable<Props extends object>(
  read: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = <Loading />,
): ComponentType<Props> & { load(): Promise<void> } {
  let loaded: ComponentType<Props> | undefined;
  const load = async () => {
    loaded = await read();
  };
  function Loadable(props: Props): ReactNode {
    const [Part, setPart] = useState(() => loaded);
    const [error, setError] = useState<unknown>();
    useEffect(() => {
      if (Part === undefined) load().then(() => setPart(() => loaded), setError);
    }, [Part]);
    if (error !== undefined) throw error;
    return Part ? <Part {...props} /> : fallback;
  }
  return Object.assign(Loadable, { load });
}
