/** The page of operations: backups, exports, moves and erasures, with their progress and results. */
import { History } from 'lucide'
import { useEffect } from 'preact/hooks'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import type { Column } from '../../component/data-table.tsx'
import { useList } from '../../component/list.ts'
import { ListTable } from '../../component/list-page.tsx'
import { MomentInWords as Moment } from '../../component/moment-in-words.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { text } from '../../text/text.ts'
import { TenantName } from '../tenant-name.tsx'
import type { Operation } from './operation.ts'
import { Result, State } from './operation-cells.tsx'

const texts = text.operator.operations
const { common } = text.administration

const pollMs = 2000

const columns: readonly Column<Operation>[] = [
  { label: texts.kind, show: ({ kind }) => texts.kinds[kind] },
  {
    label: text.operator.tenant,
    show: ({ tenantId }) => (tenantId === null ? text.state.none : <TenantName id={tenantId} />),
  },
  { label: common.state, show: (operation) => <State operation={operation} /> },
  { label: texts.result, show: (operation) => <Result operation={operation} /> },
  {
    label: texts.requested,
    show: ({ createdAt, requestedBy }) => (
      <span class="names">
        <Moment value={createdAt} />
        <span class="soft">{requestedBy}</span>
      </span>
    ),
  },
]

export function OperationsPage() {
  const { can } = useApp()
  const loaded = useList<Operation>({ path: '/api/operations' })
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
      <PageHead icon={History} title={texts.title} subtitle={texts.explained}>
        {can('operation:write') && (
          <ActionButton act={backUp} kind="main" isDisabled={isInProgress}>
            {texts.backUp}
          </ActionButton>
        )}
      </PageHead>
      <ListTable label={texts.title} columns={columns} list={loaded} none={texts.none} />
    </div>
  )
}
