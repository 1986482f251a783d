import { useEffect, useState } from 'react';

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
