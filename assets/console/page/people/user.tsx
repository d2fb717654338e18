/** The page of a user: data, roles, and the ways to sign in. */
import { User, UserPlus } from 'lucide'
import { useState } from 'preact/hooks'
import { isHostAdmin } from '../../access.ts'
import { get } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { Loading } from '../../component/loading.tsx'
import { changedMembers } from '../../component/merge.ts'
import { Done, ErrorNotice } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { useLoaded } from '../../load.ts'
import { goTo, hrefOf, usePlace } from '../../router.ts'
import { useTitle } from '../../shell/title.ts'
import { text } from '../../text/text.ts'
import { ActiveBadge } from './active-badge.tsx'
import { AttributeList } from './attributes.tsx'
import { hostTenantId, type User as StoredUser } from './types.ts'
import { UserAccess } from './user-access.tsx'
import { emptyUser, UserForm, userInput } from './user-form.tsx'
import { UserSessions } from './user-sessions.tsx'

const texts = text.administration.users

export function NewUser() {
  const { user } = useApp()
  const { query } = usePlace()
  const tenantId = query.get('tenantId')
  const list = hrefOf('/users', tenantId === null ? {} : { tenantId })
  return (
    <div class="stack">
      <PageHead
        icon={UserPlus}
        title={text.action.newRow(texts.one)}
        badges={isHostAdmin(user) && <span class="badge">{tenantId ?? user.tenantId}</span>}
        subtitle={texts.text}
      />
      <UserForm
        initial={emptyUser}
        isNew
        isOtherTenant={tenantId !== null}
        button={text.action.create}
        onCancel={() => goTo(list)}
        submit={async (values) => {
          const body = { ...userInput(values), ...(tenantId !== null && { tenantId }) }
          const { body: created } = await requestRecent<StoredUser>('POST', '/api/users', { body })
          goTo(hrefOf(`/users/${created.id}`))
        }}
      />
    </div>
  )
}

export function EditUser({ id }: { id: string }) {
  const { user: self, can } = useApp()
  const path = `/api/users/${id}`
  const [isSaved, setSaved] = useState(false)
  const { data: user, error, reload } = useLoaded(id, (signal) => get<StoredUser>(path, { signal }))
  useTitle(user?.userName ?? null)
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (user === null) return <Loading />
  const isOtherTenant = user.tenantId !== self.tenantId
  const list = hrefOf('/users', isOtherTenant ? { tenantId: user.tenantId } : {})
  const stored = { ...user, phoneNumber: user.phoneNumber ?? '', password: '' }
  /** Sends only changed members, because another administrator may change others at the same time. */
  const change = async (body: Record<string, unknown>) => {
    await requestRecent('PUT', path, { body })
    setSaved(true)
    reload()
  }
  return (
    <div class="stack">
      <PageHead
        icon={User}
        title={user.userName}
        badges={
          <>
            <ActiveBadge isActive={user.isActive} />
            {(isOtherTenant || isHostAdmin(self)) && <span class="badge">{user.tenantId}</span>}
          </>
        }
        subtitle={`${user.firstName} ${user.lastName} · ${user.email}`}
      />
      {isSaved && <Done>{text.state.saved}</Done>}
      {can('user:write') ? (
        <section class="card">
          <UserForm
            key={JSON.stringify(user)}
            initial={stored}
            isOtherTenant={isOtherTenant}
            isSelf={user.id === self.id}
            button={text.action.save}
            submit={(values) => change(changedMembers(userInput(stored), userInput(values)))}
          />
        </section>
      ) : (
        <p>
          {user.firstName} {user.lastName} · {user.email} · {user.roles.join(', ')}
        </p>
      )}
      {(user.id === self.id || !can('user:write')) && <AttributeList attributes={user.attributes} />}
      {can('session:read') && <UserSessions user={user} />}
      {can('user:write') && user.id !== self.id && (
        <Security user={user} path={path} list={list} change={change} />
      )}
    </div>
  )
}

interface SecurityProps {
  user: StoredUser
  path: string
  /** The list that opens after the user is deleted. */
  list: string
  change: (body: Record<string, unknown>) => Promise<void>
}

function Security({ user, path, list, change }: SecurityProps) {
  const { user: self, can } = useApp()
  return (
    <section class="card stack">
      <h2>{texts.security}</h2>
      <UserAccess user={user} mayAct={self.tenantId === hostTenantId && can('user:impersonate')} />
      <div class="row">
        <ActionButton
          act={() => change({ isActive: !user.isActive })}
          {...(user.isActive && { question: texts.confirmDeactivate(user.userName) })}
        >
          {user.isActive ? texts.deactivate : texts.activate}
        </ActionButton>
        <ActionButton
          kind="danger"
          question={texts.confirmDelete(user.userName)}
          typed={user.userName}
          act={async () => {
            await requestRecent('DELETE', path)
            goTo(list)
          }}
        >
          {text.action.delete}
        </ActionButton>
      </div>
    </section>
  )
}
