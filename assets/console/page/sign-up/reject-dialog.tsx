/** The dialog that rejects a sign-up of a new tenant. */
import { request } from '../../api.ts'
import { Dialog } from '../../component/dialog.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { text } from '../../text/text.ts'
import type { SignUp } from './sign-up.ts'

const texts = text.access.signUps

interface RejectDialogProps {
  signUp: SignUp
  onClose: () => void
  onDone: () => void
}

export function RejectDialog({ signUp, onClose, onDone }: RejectDialogProps) {
  const submit = async ({ reason }: { reason: string }) => {
    const body = reason === '' ? {} : { reason }
    await request('POST', `/api/sign-ups/${signUp.id}/reject`, { body })
    onDone()
  }
  return (
    <Dialog title={texts.rejectTitle(signUp.tenantName)} onClose={onClose}>
      <Form initial={{ reason: '' }} button={texts.reject} kind="danger" submit={submit} onCancel={onClose}>
        {(form) => <TextField form={form} name="reason" label={texts.reason} hint={texts.reasonHint} />}
      </Form>
    </Dialog>
  )
}
