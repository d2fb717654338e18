/** Who is invited, and has not accepted yet. */
import { useState } from 'preact/hooks'
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { Dialog } from '../../component/dialog.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { Moment } from '../../component/moment.tsx'
import { Done } from '../../component/notice.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import { givenAttributes } from './attribute-input.ts'
import { AttributeFields, attributeText, useGivenAttributes } from './attributes.tsx'
import { RoleChoices, useRoles } from './role-choices.tsx'
import type { Attributes } from './types.ts'

const texts = text.administration.invitations
const { common, users } = text.administration
const path = '/api/invitations'

interface Invitation {
  id: string
  email: string
  roles?: readonly string[]
  attributes?: Attributes
  invitedBy: string
  createdAt: string
  expiresAt: string
}

export function InvitationsPage() {
  const { can } = useApp()
  const loaded = useLoaded(path, (signal) => get<Invitation[]>(path, { signal }))
  const [isOpen, setOpen] = useState(false)
  const [invited, setInvited] = useState<string | null>(null)
  const mayWrite = can('invitation:write')
  const withdraw = async ({ id }: Invitation) => {
    await request('DELETE', `${path}/${id}`)
    setInvited(null)
    loaded.reload()
  }
  return (
    <div class="stack">
      <div class="row">
        <h1>{texts.title}</h1>
        {mayWrite && (
          <button type="button" class="main end" onClick={() => setOpen(true)}>
            {texts.invite}
          </button>
        )}
      </div>
      {invited !== null && <Done>{texts.sent(invited)}</Done>}
      <DataTable
        label={texts.title}
        columns={mayWrite ? [...columns, withdrawColumn(withdraw)] : columns}
        loaded={loaded}
        keyOf={({ id }) => id}
        empty={<p>{texts.none}</p>}
      />
      {isOpen && (
        <InviteDialog
          onClose={() => setOpen(false)}
          onInvited={(email) => {
            setInvited(email)
            setOpen(false)
            loaded.reload()
          }}
        />
      )}
    </div>
  )
}

const columns: readonly Column<Invitation>[] = [
  { label: users.email, show: ({ email }) => email },
  { label: users.roles, show: ({ roles }) => roles?.join(', ') },
  { label: users.attributes, show: ({ attributes = {} }) => attributeText(attributes) },
  { label: texts.invitedBy, show: ({ invitedBy }) => invitedBy },
  { label: common.createdAt, show: ({ createdAt }) => <Moment value={createdAt} /> },
  { label: common.expiresAt, show: ({ expiresAt }) => <Moment value={expiresAt} /> },
]

function withdrawColumn(withdraw: (invitation: Invitation) => Promise<void>): Column<Invitation> {
  return {
    label: common.actions,
    show: (invitation) => (
      <ActionButton
        kind="danger"
        question={texts.confirmWithdraw(invitation.email)}
        act={() => withdraw(invitation)}
      >
        {texts.withdraw}
      </ActionButton>
    ),
  }
}

interface InviteDialogProps {
  onClose: () => void
  onInvited: (email: string) => void
}

interface Invited {
  email: string
  roles: readonly string[]
  attributes: Attributes
}

const empty: Invited = { email: '', roles: [], attributes: {} }

function InviteDialog({ onClose, onInvited }: InviteDialogProps) {
  const roles = useRoles()
  const attributes = useGivenAttributes()
  const submit = async ({ email, roles: chosen, attributes: given }: Invited) => {
    const body = { email, ...(chosen.length > 0 && { roles: chosen }), ...givenAttributes(given) }
    await requestRecent('POST', path, { body })
    onInvited(email)
  }
  return (
    <Dialog title={texts.invite} onClose={onClose}>
      <p class="soft">{texts.inviteHint}</p>
      <Form initial={empty} button={texts.invite} submit={submit} onCancel={onClose}>
        {(form) => (
          <>
            <TextField form={form} name="email" label={users.email} type="email" isRequired />
            <RoleChoices
              roles={roles}
              chosen={form.values.roles}
              onChange={(chosen) => form.set({ roles: chosen })}
            />
            <AttributeFields
              attributes={attributes}
              values={form.values.attributes}
              faultOf={form.faultOf}
              onChange={(given) => form.set({ attributes: given })}
            />
          </>
        )}
      </Form>
    </Dialog>
  )
}
