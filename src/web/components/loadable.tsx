import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Loading } from './states.js';

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

/** A hidden page draws no frames. */
const LONGEST_MS = 300;

/** Calls back once the next frame is drawn, for work that would delay it. Returns the function that prevents it. */
export function afterFrame(callback: () => void): () => void {
  let timer = setTimeout(callback, LONGEST_MS);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(callback);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** Returns whether a frame was drawn since the component appeared, for parts that would delay its first one. */
export function useIsDrawn(): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => afterFrame(() => setDrawn(true)), []);
  return isDrawn;
}
