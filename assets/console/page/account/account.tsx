/** The page of the user's own account: password, second factors and sessions. */
import { User } from 'lucide'
import { useState } from 'preact/hooks'
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { Done } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import { SessionTable } from '../people/session-table.tsx'
import type { Session } from '../people/types.ts'
import { Passkeys } from './passkeys.tsx'
import { SecondFactor } from './second-factor.tsx'

const texts = text.administration.account

export function AccountPage() {
  const { user } = useApp()
  const [turn, setTurn] = useState(0)
  return (
    <div class="stack">
      <PageHead
        icon={User}
        title={texts.title}
        subtitle={`${user.firstName} ${user.lastName} · ${user.userName} · ${user.tenantId}`}
      />
      {user.impersonator === undefined ? (
        <>
          <Password />
          <SecondFactor turn={turn} />
          <Passkeys onChange={() => setTurn(turn + 1)} />
        </>
      ) : (
        <p class="notice">{texts.whileActing}</p>
      )}
      <OwnSessions mayEnd={user.impersonator === undefined} />
    </div>
  )
}

const emptyPasswords = { currentPassword: '', newPassword: '' }

function Password() {
  const [changes, setChanges] = useState(0)
  return (
    <section class="card stack">
      <h2>{texts.password}</h2>
      {changes > 0 && <Done>{texts.passwordChanged}</Done>}
      <Form
        key={changes}
        initial={emptyPasswords}
        button={texts.changePassword}
        submit={async (body) => {
          await request('PUT', '/api/users/me/password', { body })
          setChanges(changes + 1)
        }}
      >
        {(form) => (
          <>
            <TextField
              form={form}
              name="currentPassword"
              label={texts.currentPassword}
              type="password"
              autocomplete="current-password"
              isRequired
            />
            <TextField
              form={form}
              name="newPassword"
              label={texts.newPassword}
              hint={text.administration.users.passwordHint}
              type="password"
              autocomplete="new-password"
              isRequired
            />
          </>
        )}
      </Form>
    </section>
  )
}

function OwnSessions({ mayEnd }: { mayEnd: boolean }) {
  const path = '/api/auth/sessions'
  const loaded = useLoaded(path, (signal) => get<Session[]>(path, { signal }))
  const end = async (address: string) => {
    await request('DELETE', address)
    loaded.reload()
  }
  return (
    <section class="stack">
      <div class="row">
        <h2>{texts.sessions}</h2>
        {mayEnd && (loaded.data?.length ?? 0) > 1 && (
          <span class="end">
            <ActionButton question={texts.confirmEndOthers} act={() => end(path)}>
              {texts.endOthers}
            </ActionButton>
          </span>
        )}
      </div>
      <SessionTable
        loaded={loaded}
        empty={text.administration.users.noSessions}
        {...(mayEnd && { end: ({ id }: Session) => end(`${path}/${id}`) })}
      />
    </section>
  )
}
