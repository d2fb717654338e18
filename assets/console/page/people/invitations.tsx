/** The page of invitations that are not accepted yet. */
import { MailPlus } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { moment, plain } from '../../component/columns.tsx'
import { Dialog } from '../../component/dialog.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { useList } from '../../component/list.ts'
import { ListPage, type Resource } from '../../component/list-page.tsx'
import { Done } from '../../component/notice.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { goTo, hrefOf, usePlace } from '../../router.ts'
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

const invitations: Resource<Invitation> = {
  path,
  title: texts.title,
  text: texts.text,
  icon: MailPlus,
  none: texts.none,
  isCounted: true,
  columns: [
    plain(users.email, 'email'),
    { label: users.roles, show: ({ roles }) => roles?.join(', ') },
    { label: users.attributes, show: ({ attributes = {} }) => attributeText(attributes) },
    plain(texts.invitedBy, 'invitedBy'),
    moment(common.createdAt, 'createdAt'),
    moment(common.expiresAt, 'expiresAt'),
  ],
}

export function InvitationsPage() {
  const { can } = useApp()
  const list = useList<Invitation>(invitations)
  const isAsked = usePlace().query.has('new') && can('invitation:write')
  const [isOpen, setOpen] = useState(isAsked)
  useEffect(() => setOpen((wasOpen) => wasOpen || isAsked), [isAsked])
  const [invited, setInvited] = useState<string | null>(null)
  const close = () => {
    setOpen(false)
    if (isAsked) goTo(hrefOf('/invitations'), { replaces: true })
  }
  const withdraw = async ({ id }: Invitation) => {
    await request('DELETE', `${path}/${id}`)
    setInvited(null)
    list.reload()
  }
  return (
    <ListPage<Invitation>
      resource={invitations}
      list={list}
      action={
        can('invitation:write') && (
          <button type="button" class="main" onClick={() => setOpen(true)}>
            {texts.invite}
          </button>
        )
      }
      actionsOf={
        can('invitation:write') &&
        ((invitation) => (
          <ActionButton
            kind="danger"
            question={texts.confirmWithdraw(invitation.email)}
            act={() => withdraw(invitation)}
          >
            {texts.withdraw}
          </ActionButton>
        ))
      }
    >
      {invited !== null && <Done>{texts.sent(invited)}</Done>}
      {isOpen && (
        <InviteDialog
          onClose={close}
          onInvited={(email) => {
            setInvited(email)
            close()
            list.reload()
          }}
        />
      )}
    </ListPage>
  )
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
