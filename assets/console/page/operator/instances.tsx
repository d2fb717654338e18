/** The page of the running instances of the service, and of the migrations of their database. */
import { Server } from 'lucide'
import { get } from '../../api.ts'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { MomentInWords as Moment } from '../../component/moment-in-words.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'

const texts = text.operator.instances

interface Instance {
  id: string
  host: string
  processId: number
  version: string
  nodeVersion: string
  startedAt: string
  lastSeenAt: string
  isAlive: boolean
  isAnswering: boolean
  clockDifferenceMs: number | null
  sharesFiles: boolean | null
}

interface AppliedMigration {
  name: string
  appliedAt: string
  isKnown: boolean
}

const columns: readonly Column<Instance>[] = [
  {
    label: texts.host,
    show: ({ host, isAnswering }) => (
      <>
        {host} {isAnswering && <span class="badge">{texts.answering}</span>}
      </>
    ),
  },
  { label: texts.process, show: ({ processId }) => processId, isNumber: true },
  {
    label: text.administration.common.state,
    show: ({ isAlive, sharesFiles }) => (
      <>
        <span class={isAlive ? 'badge good' : 'badge bad'}>{isAlive ? texts.alive : texts.gone}</span>{' '}
        {isAlive && sharesFiles === false && <span class="badge bad">{texts.filesApart}</span>}
      </>
    ),
  },
  { label: texts.version, show: ({ version }) => version },
  { label: texts.node, show: ({ nodeVersion }) => nodeVersion },
  { label: texts.startedAt, show: ({ startedAt }) => <Moment value={startedAt} /> },
  { label: texts.seenAt, show: ({ lastSeenAt }) => <Moment value={lastSeenAt} /> },
  {
    label: texts.clock,
    isNumber: true,
    show: ({ clockDifferenceMs }) =>
      clockDifferenceMs === null ? text.state.none : texts.clockAhead(clockDifferenceMs),
  },
]

const migrationColumns: readonly Column<AppliedMigration>[] = [
  { label: texts.migration, show: ({ name }) => <code>{name}</code> },
  { label: texts.appliedAt, show: ({ appliedAt }) => <Moment value={appliedAt} /> },
  {
    label: texts.known,
    show: ({ isKnown }) => (isKnown ? text.state.yes : <span class="badge bad">{text.state.no}</span>),
  },
]

export function InstancesPage() {
  const loaded = useLoaded('/api/instances', (signal) => get<Instance[]>('/api/instances', { signal }))
  const migrations = useLoaded('/api/migrations', (signal) =>
    get<AppliedMigration[]>('/api/migrations', { signal }),
  )
  return (
    <div class="stack">
      <PageHead icon={Server} title={texts.title}>
        <button type="button" onClick={loaded.reload}>
          {text.administration.common.reload}
        </button>
      </PageHead>
      <DataTable
        label={texts.title}
        columns={columns}
        loaded={loaded}
        keyOf={({ id }) => id}
        empty={<p>{texts.none}</p>}
      />
      <h2>{texts.migrations}</h2>
      <DataTable
        label={texts.migrations}
        columns={migrationColumns}
        loaded={migrations}
        keyOf={({ name }) => name}
        empty={<p>{texts.noMigrations}</p>}
      />
    </div>
  )
}
