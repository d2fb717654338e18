/** The dialog that suspends a tenant. Its id has to be typed, because this locks out a whole organisation. */
import { request } from '../../api.ts'
import { Dialog } from '../../component/dialog.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { text } from '../../text/text.ts'
import type { Tenant } from './tenant-type.ts'

const texts = text.administration.tenants

interface SuspendDialogProps {
  tenant: Tenant
  path: string
  onClose: () => void
  onDone: () => void
}

export function SuspendDialog({ tenant, path, onClose, onDone }: SuspendDialogProps) {
  const submit = async () => {
    await request('DELETE', path)
    onDone()
  }
  return (
    <Dialog title={texts.suspendTitle(tenant.name)} onClose={onClose}>
      <p>{texts.suspendText}</p>
      <Form
        initial={{ typed: '' }}
        button={texts.suspend}
        kind="danger"
        submit={submit}
        onCancel={onClose}
        isDisabled={({ typed }) => typed !== tenant.id}
      >
        {(form) => <TextField form={form} name="typed" label={texts.typeId(tenant.id)} isRequired />}
      </Form>
    </Dialog>
  )
}
