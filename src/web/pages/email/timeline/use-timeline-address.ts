import { useSearchParams } from 'wouter';

/** The parameter with the open delivery, and the one with the recipient that is shown. */
export function useTimelineAddress() {
  const [parameters, setParameters] = useSearchParams();
  const set = (name: string, value: string | null) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === null) after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  return {
    openDelivery: parameters.get('delivery'),
    setOpenDelivery: (id: string | null) => set('delivery', id),
    recipient: parameters.get('recipient'),
    setRecipient: (mailbox: string | null) => set('recipient', mailbox),
  };
}
