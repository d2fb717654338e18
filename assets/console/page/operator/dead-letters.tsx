/** Deliveries of all tenants that failed for good: by subscription, sent again one by one or all together. */
import { useState } from 'preact/hooks'
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { useList } from '../../component/list.ts'
import { ListTable } from '../../component/list-page.tsx'
import { Done } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { useLoaded } from '../../load.ts'
import { hrefOf, usePlace } from '../../router.ts'
import { text } from '../../text/text.ts'
import type { HealthOfTenant } from './attention.tsx'

const texts = text.operator.deadLetters

interface DeadLetters {
  tenantId: string
  subscriptionId: string
  receiver: string
  isActive: boolean
  deliveries: number
}

interface Report {
  deliveries: number
  tenants: number
  failures: readonly { tenantId: string; message: string }[]
  next: string | null
}

type Chosen = Partial<Pick<DeadLetters, 'tenantId' | 'subscriptionId'>>

/** A request sends ten thousand again at most; more than so many are a matter of asking once more. */
const maxRequests = 20

export function DeadLettersPage() {
  const { can } = useApp()
  const tenantId = usePlace().query.get('tenantId')
  const ofTenant = tenantId === null ? {} : { tenantId }
  const list = useList<DeadLetters>({
    path: '/api/dead-letters',
    filters: [{ name: 'tenantId', isNoFilter: true }],
  })
  const [report, setReport] = useState<Report | null>(null)
  const replay = async (chosen: Chosen) => {
    setReport(await replayAll(chosen, setReport))
    list.reload()
  }
  const rows = list.data?.map((row) => ({ ...row, id: `${row.tenantId}/${row.subscriptionId}` })) ?? null
  const isAny = rows !== null && rows.length > 0
  return (
    <div class="stack">
      <PageHead title={texts.title} subtitle={texts.explained}>
        {can('operation:write') && (
          <ActionButton
            act={() => replay(ofTenant)}
            question={texts.question}
            kind="main"
            isDisabled={!isAny}
          >
            {texts.replayAll}
          </ActionButton>
        )}
      </PageHead>
      {tenantId !== null && (
        <p class="row">
          {texts.one(tenantId)} <a href={hrefOf('/dead-letters')}>{texts.all}</a>
        </p>
      )}
      {report !== null && <Replayed report={report} />}
      <ListTable
        label={texts.title}
        columns={can('operation:write') ? [...columns, replaying(replay)] : columns}
        list={{ ...list, data: rows }}
        none={texts.none}
      />
      {tenantId === null && <Others />}
    </div>
  )
}

async function replayAll(chosen: Chosen, told: (report: Report) => void): Promise<Report> {
  let report: Report = { deliveries: 0, tenants: 0, failures: [], next: null }
  for (let requests = 0; requests < maxRequests; requests++) {
    const body = { ...chosen, ...(report.next !== null && { cursor: report.next }) }
    const { body: part } = await request<Report>('POST', '/api/dead-letters/replay', { body })
    report = {
      deliveries: report.deliveries + part.deliveries,
      tenants: report.tenants + part.tenants,
      failures: [...report.failures, ...part.failures],
      next: part.next,
    }
    told(report)
    if (part.next === null) break
  }
  return report
}

function Replayed({ report: { deliveries, tenants, failures, next } }: { report: Report }) {
  return (
    <>
      <Done>
        {texts.report(deliveries, tenants)} {next !== null && texts.more}
      </Done>
      {failures.map(({ tenantId, message }) => (
        <p key={tenantId} class="notice warn">
          {texts.passedOver(tenantId, message)}
        </p>
      ))}
    </>
  )
}

const columns: readonly Column<DeadLetters>[] = [
  { label: text.operator.tenant, show: ({ tenantId }) => <TenantLink tenantId={tenantId} /> },
  {
    label: texts.receiver,
    show: ({ receiver, isActive }) => (
      <span class="row">
        {receiver} {!isActive && <span class="badge warn">{texts.paused}</span>}
      </span>
    ),
  },
  {
    label: texts.deliveries,
    isNumber: true,
    show: ({ deliveries }) => <span class="badge bad figures">{deliveries}</span>,
  },
]

function replaying(replay: (chosen: Chosen) => Promise<void>): Column<DeadLetters> {
  return {
    label: text.administration.common.actions,
    show: ({ tenantId, subscriptionId }) => (
      <ActionButton act={() => replay({ tenantId, subscriptionId })}>{texts.replay}</ActionButton>
    ),
  }
}

/** Jobs and mails are the tenant's own: only who they are of is told. */
function Others() {
  const path = '/api/tenant-health'
  const loaded = useLoaded(path, (signal) => get<HealthOfTenant[]>(path, { signal, query: { limit: '200' } }))
  const rows = loaded.data?.filter(({ deadJobs, deadMails }) => deadJobs + deadMails > 0) ?? null
  if (rows === null || rows.length === 0) return null
  return (
    <>
      <h2>{texts.others}</h2>
      <DataTable
        label={texts.others}
        columns={otherColumns}
        loaded={{ ...loaded, data: rows }}
        keyOf={({ tenantId }) => tenantId}
        empty={null}
      />
      <p class="note">{texts.othersHint}</p>
    </>
  )
}

const otherColumns: readonly Column<HealthOfTenant>[] = [
  { label: text.operator.tenant, show: ({ tenantId }) => <TenantLink tenantId={tenantId} /> },
  { label: texts.jobs, isNumber: true, show: ({ deadJobs }) => deadJobs },
  { label: texts.mails, isNumber: true, show: ({ deadMails }) => deadMails },
]

function TenantLink({ tenantId }: { tenantId: string }) {
  return <a href={hrefOf(`/tenants/${encodeURIComponent(tenantId)}`)}>{tenantId}</a>
}
