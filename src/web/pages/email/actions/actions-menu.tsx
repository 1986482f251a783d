import { Zap } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useControlChange } from '../../../api/calls.js';
import { IconButton } from '../../../components/button.js';
import { Dialog } from '../../../components/dialog.js';
import { loadable } from '../../../components/loadable.js';
import { Menu } from '../../../components/menu/menu.js';
import { Problem } from '../../../components/problem.js';
import type { TabProps } from '../types.js';

const ReleaseDialog = loadable(() => import('./release-dialog.js').then((file) => file.ReleaseDialog), null);
const SimulateDialog = loadable(() => import('./simulate-dialog.js').then((file) => file.SimulateDialog), null);

/** What can be done with an email as its sender or its recipients. */
export function ActionsMenu({ email }: TabProps) {
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<'simulate' | 'release'>();
  const close = () => setDialog(undefined);
  const resending = useControlChange('emails.resend', 'summary', 'deliveries');
  const sendAgain = () => {
    if (resending.isPending) return;
    const onSuccess = ({ id }: { id: string }) => navigate(`/emails/${id}`);
    resending.mutate({ params: { id: email.id } }, { onSuccess });
  };
  return (
    <>
      <Menu trigger={<IconButton label="Actions" icon={Zap} />}>
        {({ MenuItem }) => (
          <>
            <MenuItem onSelect={() => setDialog('simulate')}>Simulate an outcome…</MenuItem>
            <MenuItem onSelect={sendAgain}>Send again</MenuItem>
            <MenuItem onSelect={() => setDialog('release')}>Release to a real mailbox…</MenuItem>
          </>
        )}
      </Menu>
      {dialog === 'simulate' && <SimulateDialog email={email} onClose={close} />}
      {dialog === 'release' && <ReleaseDialog email={email} onClose={close} />}
      {resending.error && (
        <Dialog title="The email cannot be sent again" onClose={resending.reset}>
          <Problem error={resending.error} />
        </Dialog>
      )}
    </>
  );
}
