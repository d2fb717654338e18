/** The dialog that asks for the name of a passkey. */
import { Dialog } from '../../component/dialog.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { text } from '../../text/text.ts'

const texts = text.access.passkeys

interface PasskeyDialogProps {
  title: string
  name: string
  /** @throws ApiError; Error if the authenticator fails */
  submit: (name: string) => Promise<void>
  onClose: () => void
}

export function PasskeyDialog({ title, name, submit, onClose }: PasskeyDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form initial={{ name }} button={title} submit={(values) => submit(values.name)} onCancel={onClose}>
        {(form) => <TextField form={form} name="name" label={texts.name} hint={texts.nameHint} isRequired />}
      </Form>
    </Dialog>
  )
}
