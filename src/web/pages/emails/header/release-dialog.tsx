import { useControlChange } from '../../../api/calls.js';
import { Button } from '../../../components/button.js';
import { Dialog } from '../../../components/dialog.js';
import { TextAreaField } from '../../../components/form/field.js';
import { Form } from '../../../components/form/form.js';
import type { EmailDetails } from '../types.js';

/** Sends an email through the relay of the server, to recipients that the server permits, and shows the reply. */
export function ReleaseDialog({ email, onClose }: { email: EmailDetails; onClose(): void }) {
  const { mutateAsync, data } = useControlChange('emails.release');
  const submit = (fields: FormData) => {
    const to = String(fields.get('to')).split(/[\s,]+/);
    return mutateAsync({ params: { id: email.id }, body: { to: to.filter(Boolean) } });
  };
  if (data) {
    return (
      <Dialog title="The relay accepted the email" onClose={onClose}>
        <p>
          {data.relay}: {data.reply}
        </p>
        {data.rejected.map(({ address, reply }) => (
          <p key={address}>
            It refused {address}: {reply}
          </p>
        ))}
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Dialog>
    );
  }
  return (
    <Dialog title="Release to a real mailbox" onClose={onClose}>
      <Form action="Release" onSubmit={submit} onCancel={onClose}>
        <TextAreaField
          name="to"
          label="Recipients"
          rows={3}
          defaultValue={email.recipients.map(({ mailbox }) => mailbox).join('\n')}
          hint="The server sends the email to these addresses, through the relay that it was started with."
        />
      </Form>
    </Dialog>
  );
}
