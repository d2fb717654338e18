/** Backups, exports and erasures: how far they are, and what they made. */
import { useEffect } from 'preact/hooks'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import type { Column } from '../../component/data-table.tsx'
import { Moment } from '../../component/moment.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { text } from '../../text/text.ts'
import { usePaged } from '../operation/paged.ts'
import { PagedTable } from '../operation/paged-table.tsx'

const texts = text.operator.operations
const { common } = text.administration

const pollMs = 2000

interface Operation {
  id: string
  kind: keyof typeof texts.kinds
  tenantId: string | null
  status: keyof typeof texts.states
  phase: string | null
  host: string | null
  result: {
    path?: string
    rows?: number | Readonly<Record<string, number>>
    notIncluded?: readonly { tenant: string | null; reason: string }[]
  } | null
  error: string | null
  requestedBy: string
  createdAt: string
  finishedAt: string | null
}

const badges: Partial<Record<Operation['status'], string>> = { DONE: 'badge good', FAILED: 'badge bad' }

const columns: readonly Column<Operation>[] = [
  { label: texts.kind, show: ({ kind }) => texts.kinds[kind] },
  { label: text.operator.tenant, show: ({ tenantId }) => tenantId ?? text.state.none },
  {
    label: common.state,
    show: ({ status }) => <span class={badges[status] ?? 'badge'}>{texts.states[status]}</span>,
  },
  { label: texts.phase, show: ({ phase }) => phase ?? text.state.none },
  { label: texts.result, show: (operation) => <Result operation={operation} /> },
  { label: texts.requestedBy, show: ({ requestedBy }) => requestedBy },
  { label: common.createdAt, show: ({ createdAt }) => <Moment value={createdAt} /> },
]

export function OperationsPage() {
  const { can } = useApp()
  const loaded = usePaged<Operation>('/api/operations', {})
  const isInProgress = loaded.data?.some(({ finishedAt }) => finishedAt === null) === true
  useEffect(() => {
    if (!isInProgress) return
    const timer = setInterval(loaded.reload, pollMs)
    return () => clearInterval(timer)
  }, [isInProgress])
  const backUp = async () => {
    await requestRecent('POST', '/api/backups')
    loaded.reload()
  }
  return (
    <div class="stack">
      <div class="row">
        <h1>{texts.title}</h1>
        {can('operation:write') && (
          <span class="end row">
            <ActionButton act={backUp} kind="main" isDisabled={isInProgress}>
              {texts.backUp}
            </ActionButton>
          </span>
        )}
      </div>
      <p class="soft">{texts.explained}</p>
      <PagedTable label={texts.title} columns={columns} loaded={loaded} none={texts.none} />
    </div>
  )
}

function Result({ operation: { result, error, host } }: { operation: Operation }) {
  const rows = result?.rows
  const erased = typeof rows === 'object' ? Object.values(rows).reduce((sum, count) => sum + count, 0) : null
  return (
    <span class="wrap">
      {error !== null && <span class="fault">{error} </span>}
      {result?.path !== undefined && (
        <>
          <code>{result.path}</code> {host !== null && texts.onHost(host)}{' '}
        </>
      )}
      {erased !== null && texts.rowsErased(erased)}
      {result?.notIncluded?.map(({ tenant, reason }) => (
        <div key={`${tenant} ${reason}`} class="soft">
          {texts.notIncluded(tenant === null ? reason : `${tenant}, ${reason}`)}
        </div>
      ))}
    </span>
  )
}
