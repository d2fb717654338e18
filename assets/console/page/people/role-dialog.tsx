/** The dialog that creates a role, or changes its description or deletes it. */
import { request } from '../../api.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { Dialog } from '../../component/dialog.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { text } from '../../text/text.ts'
import type { Role } from './types.ts'

const texts = text.administration.roles
const { common } = text.administration

interface RoleDialogProps {
  /** `null` to create a role. */
  role: Role | null
  onClose: () => void
  onDone: () => void
}

export function RoleDialog({ role, onClose, onDone }: RoleDialogProps) {
  const submit = async ({ name, description }: { name: string; description: string }) => {
    const described = { description: description === '' ? null : description }
    if (role === null) await request('POST', '/api/roles', { body: { name, permissions: [], ...described } })
    else await request('PUT', `/api/roles/${role.name}`, { body: described })
    onDone()
  }
  return (
    <Dialog
      title={role === null ? text.action.newRow(texts.one) : texts.editDescription(role.name)}
      onClose={onClose}
    >
      <Form
        initial={{ name: role?.name ?? '', description: role?.description ?? '' }}
        button={role === null ? text.action.create : text.action.save}
        submit={submit}
        onCancel={onClose}
      >
        {(form) => (
          <>
            {role === null && (
              <TextField form={form} name="name" label={common.name} hint={texts.nameHint} isRequired />
            )}
            <TextField form={form} name="description" label={common.description} />
          </>
        )}
      </Form>
      {role !== null && (
        <div class="row">
          <ActionButton
            kind="danger"
            question={texts.confirmDelete(role.name)}
            act={async () => {
              await request('DELETE', `/api/roles/${role.name}`)
              onDone()
            }}
          >
            {text.action.delete}
          </ActionButton>
        </div>
      )}
    </Dialog>
  )
}
