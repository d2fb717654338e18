/** The tenants in which something waits or has failed, or whose database is not served, the worst first. */
import { get } from '../../api.ts'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { useLoaded } from '../../load.ts'
import { hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import { DatabaseFault } from './database-fault.tsx'
import { FigureCharts } from './figure-charts.tsx'

const texts = text.operator.health

interface HealthOfTenant {
  tenantId: string
  failingSubscriptions: number
  deactivatedSubscriptions: number
  deadDeliveries: number
  waitingDeliveries: number
  deadJobs: number
  waitingJobs: number
  deadMails: number
  waitingMails: number
  databaseFault: string | null
}

type Figure = Exclude<keyof HealthOfTenant, 'tenantId' | 'databaseFault'>

const columns: readonly Column<HealthOfTenant>[] = [
  {
    label: text.operator.tenant,
    show: ({ tenantId }) => <a href={hrefOf(`/tenants/${encodeURIComponent(tenantId)}`)}>{tenantId}</a>,
  },
  {
    label: text.administration.tenants.database,
    show: ({ databaseFault }) => <DatabaseFault fault={databaseFault} />,
  },
  failures(texts.webhooks, 'failingSubscriptions'),
  failures(texts.deactivated, 'deactivatedSubscriptions'),
  failures(texts.deadDeliveries, 'deadDeliveries'),
  waiting(texts.waitingDeliveries, 'waitingDeliveries'),
  failures(texts.deadJobs, 'deadJobs'),
  waiting(texts.waitingJobs, 'waitingJobs'),
  failures(texts.deadMails, 'deadMails'),
  waiting(texts.waitingMails, 'waitingMails'),
]

export function HealthPage() {
  const path = '/api/tenant-health'
  const loaded = useLoaded(path, (signal) => get<HealthOfTenant[]>(path, { signal, query: { limit: '200' } }))
  return (
    <div class="stack">
      <div class="row">
        <h1>{texts.title}</h1>
        <button type="button" class="end" onClick={loaded.reload}>
          {text.administration.common.reload}
        </button>
      </div>
      <FigureCharts count={4} />
      <div class="row">
        <h2>{texts.attention}</h2>
        <span class="soft">{texts.age}</span>
      </div>
      <DataTable
        label={texts.title}
        columns={columns}
        loaded={loaded}
        keyOf={({ tenantId }) => tenantId}
        empty={<p>{texts.none}</p>}
      />
    </div>
  )
}

function failures(label: string, name: Figure): Column<HealthOfTenant> {
  return {
    label,
    isNumber: true,
    show: (row) => (row[name] === 0 ? 0 : <span class="badge bad">{row[name]}</span>),
  }
}

function waiting(label: string, name: Figure): Column<HealthOfTenant> {
  return { label, isNumber: true, show: (row) => row[name] }
}
