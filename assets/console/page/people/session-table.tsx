/** A table of sessions, of the signed-in user or another one. */
import { ActionButton } from '../../component/action-button.tsx'
import { moment } from '../../component/columns.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import type { Loaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import type { Session } from './types.ts'

const texts = text.administration.users
const { common } = text.administration

interface SessionTableProps {
  loaded: Loaded<readonly Session[]>
  empty: string
  end?: (session: Session) => Promise<void>
}

export function SessionTable({ loaded, empty, end }: SessionTableProps) {
  const columns: Column<Session>[] = [
    {
      label: texts.device,
      show: ({ device, isCurrent, impersonatorName }) => (
        <>
          {device} {isCurrent && <span class="badge good">{texts.current}</span>}{' '}
          {impersonatorName !== null && <span class="badge">{texts.by(impersonatorName)}</span>}
        </>
      ),
    },
    { label: texts.place, show: ({ place }) => place },
    moment(texts.since, 'createdAt'),
    moment(common.lastUsedAt, 'lastUsedAt'),
  ]
  if (end !== undefined)
    columns.push({
      label: common.actions,
      isAction: true,
      show: (session) =>
        session.isCurrent ? null : <ActionButton act={() => end(session)}>{texts.end}</ActionButton>,
    })
  return (
    <DataTable
      label={texts.sessions}
      columns={columns}
      loaded={loaded}
      keyOf={({ id }) => id}
      empty={<p>{empty}</p>}
    />
  )
}
