/** The sessions of a user. */
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import { SessionTable } from './session-table.tsx'
import type { Session, User } from './types.ts'

const texts = text.administration.users

export function UserSessions({ user }: { user: User }) {
  const { can } = useApp()
  const path = `/api/users/${user.id}/sessions`
  const loaded = useLoaded(path, (signal) => get<Session[]>(path, { signal }))
  const end = async (address: string) => {
    await request('DELETE', address)
    loaded.reload()
  }
  const mayEnd = can('session:write')
  return (
    <section class="stack">
      <div class="row">
        <h2>{texts.sessions}</h2>
        {mayEnd && loaded.data !== null && loaded.data.length > 0 && (
          <span class="end">
            <ActionButton question={texts.confirmEndAll} act={() => end(path)}>
              {texts.endAll}
            </ActionButton>
          </span>
        )}
      </div>
      <SessionTable
        loaded={loaded}
        empty={texts.noSessions}
        {...(mayEnd && { end: ({ id }: Session) => end(`${path}/${id}`) })}
      />
    </section>
  )
}
