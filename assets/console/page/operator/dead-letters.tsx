/**
 * The page of work that has failed for good in all tenants: deliveries, jobs and mails by group, each with a button
 * to try again.
 */
import { CircleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import type { Column } from '../../component/data-table.tsx'
import { useList } from '../../component/list.ts'
import { ListTable } from '../../component/list-page.tsx'
import { Done } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { Tabs } from '../../component/tabs.tsx'
import { goTo, hrefOf, usePlace } from '../../router.ts'
import { text } from '../../text/text.ts'
import { TenantName, useTenantName } from '../tenant-name.tsx'

const texts = text.operator.deadLetters
const { common } = text.administration

interface Group {
  id: string
  tenantId: string
  subscriptionId: string
  receiver: string
  isActive: boolean
  name: string
  template: string
  deliveries: number
  jobs: number
  mails: number
  /** The number of mails that can be sent again. */
  retriable: number
}

type KindName = 'deliveries' | 'jobs' | 'mails'

interface Kind {
  path: string
  retry: string
  /** The member that names the group. */
  group: 'subscriptionId' | 'name' | 'template'
  label: string
  show: (group: Group) => ComponentChildren
}

type Report = Partial<Record<KindName, number>> & {
  tenants: number
  failures: readonly { tenantId: string; message: string }[]
  next: string | null
}

const kinds: Readonly<Record<KindName, Kind>> = {
  deliveries: {
    path: '/api/dead-letters',
    retry: 'replay',
    group: 'subscriptionId',
    label: texts.receiver,
    show: ({ receiver, isActive }) => noted(receiver, !isActive && texts.paused),
  },
  jobs: {
    path: '/api/dead-jobs',
    retry: 'retry',
    group: 'name',
    label: common.name,
    show: ({ name }) => name,
  },
  mails: {
    path: '/api/dead-mails',
    retry: 'retry',
    group: 'template',
    label: text.administration.mails.template,
    show: ({ template, mails, retriable }) =>
      noted(template, mails > retriable && texts.expired(mails - retriable)),
  },
}
const names: readonly KindName[] = ['deliveries', 'jobs', 'mails']

function noted(words: string, note: string | false) {
  return (
    <span class="row">
      {words} {note && <span class="badge warn">{note}</span>}
    </span>
  )
}

/** The maximum number of requests for one click. Each retries at most ten thousand; for more, the user clicks again. */
const maxRequests = 20

export function DeadLettersPage() {
  const { query, path } = usePlace()
  const tenantId = query.get('tenantId')
  const ofTenant = tenantId === null ? {} : { tenantId }
  return (
    <div class="stack">
      <PageHead icon={CircleAlert} title={texts.title} subtitle={texts.explained} />
      {tenantId !== null && (
        <p class="row">
          <OfTenant id={tenantId} words={texts.one} /> <a href={hrefOf(path)}>{texts.all}</a>
        </p>
      )}
      <Tabs
        label={texts.title}
        current={query.get('of')}
        onChange={(of) => goTo(hrefOf(path, { ...ofTenant, of }))}
        tabs={names.map((name) => ({
          name,
          label: texts[name],
          show: () => <DeadWork key={`${name} ${tenantId}`} name={name} ofTenant={ofTenant} />,
        }))}
      />
    </div>
  )
}

function OfTenant({ id, words }: { id: string; words: (name: string) => string }) {
  return <>{words(useTenantName(id))}</>
}

interface DeadWorkProps {
  name: KindName
  ofTenant: { tenantId?: string }
}

function DeadWork({ name, ofTenant }: DeadWorkProps) {
  const { can } = useApp()
  const kind = kinds[name]
  const list = useList<Group>({
    path: kind.path,
    filters: [
      { name: 'tenantId', isNoFilter: true },
      { name: 'of', isNoFilter: true },
    ],
    sent: () => ofTenant,
  })
  const [report, setReport] = useState<Report | null>(null)
  const retry = async (chosen: Readonly<Record<string, string>>) => {
    await retryAll(kind, chosen, setReport)
    list.reload()
  }
  const rows = list.data?.map((row) => ({ ...row, id: `${row.tenantId}/${row[kind.group]}` })) ?? null
  const columns: Column<Group>[] = [
    {
      label: text.operator.tenant,
      show: ({ tenantId }) => <TenantName id={tenantId} />,
    },
    { label: kind.label, show: kind.show },
    {
      label: texts[name],
      isNumber: true,
      show: ({ [name]: count }) => <span class="badge bad figures">{count}</span>,
    },
  ]
  if (can('operation:write'))
    columns.push({
      label: common.actions,
      isAction: true,
      show: ({ tenantId, [kind.group]: group }) => (
        <span class="actions">
          <ActionButton act={() => retry({ tenantId, [kind.group]: group })}>{texts.replay}</ActionButton>
        </span>
      ),
    })
  return (
    <div class="stack">
      {can('operation:write') && rows !== null && rows.length > 0 && (
        <div class="row">
          <ActionButton act={() => retry(ofTenant)} question={texts.question} kind="main">
            {texts.replayAll}
          </ActionButton>
        </div>
      )}
      {report !== null && <Retried count={report[name] ?? 0} report={report} />}
      <ListTable label={texts[name]} columns={columns} list={{ ...list, data: rows }} none={texts.none} />
    </div>
  )
}

async function retryAll(
  { path, retry }: Kind,
  chosen: Readonly<Record<string, string>>,
  told: (report: Report) => void,
): Promise<void> {
  let report: Report = { tenants: 0, failures: [], next: null }
  const failed = new Map<string, Report['failures'][number]>()
  for (let requests = 0; requests < maxRequests; requests++) {
    const body = { ...chosen, ...(report.next !== null && { cursor: report.next }) }
    const { body: part } = await request<Report>('POST', `${path}/${retry}`, { body })
    for (const failure of part.failures) failed.set(failure.tenantId, failure)
    const sum = (name: KindName | 'tenants') => (report[name] ?? 0) + (part[name] ?? 0)
    report = {
      ...Object.fromEntries(names.map((name) => [name, sum(name)])),
      tenants: sum('tenants'),
      failures: [...failed.values()],
      next: part.next,
    }
    told(report)
    if (part.next === null) return
  }
}

function Retried({ count, report: { tenants, failures, next } }: { count: number; report: Report }) {
  return (
    <>
      <Done>
        {texts.report(count, tenants)} {next !== null && texts.more}
      </Done>
      {failures.map(({ tenantId, message }) => (
        <p key={tenantId} class="notice warn">
          <OfTenant id={tenantId} words={(name) => texts.passedOver(name, message)} />
        </p>
      ))}
    </>
  )
}
