/** What operators see of each tenant in the list, beside what its own administrators see. */
import type { Column } from '../../component/data-table.tsx'
import { hrefOf } from '../../router.ts'
import { language, text } from '../../text/text.ts'
import { TenantState } from '../operation/tenant-state.tsx'
import type { Tenant } from '../operation/tenant-type.ts'
import { DatabaseFault } from './database-fault.tsx'

const texts = text.operator.overview
const { databaseKinds } = text.administration.tenants
const numbers = new Intl.NumberFormat(language)

export const overviewPath = '/api/tenant-overview'

export interface TenantOverview extends Tenant {
  isBeingErased: boolean
  isMoving: boolean
  /** `null` if the service cannot read where it is. */
  database: string | null
  databaseBytes: number | null
  fileBytes: number | null
  databaseFault: string | null
  users: number
  failingSubscriptions: number
  deactivatedSubscriptions: number
}

export function State({ tenant: { isActive, isMoving, isBeingErased } }: { tenant: TenantOverview }) {
  return (
    <span class="row">
      <TenantState isActive={isActive} />
      {isMoving && <span class="badge">{texts.moving}</span>}
      {isBeingErased && <span class="badge bad">{texts.erased}</span>}
    </span>
  )
}

export const overviewColumns: readonly Column<TenantOverview>[] = [
  {
    label: texts.database,
    show: ({ database, databaseFault }) => (
      <span class="row">
        {database === null ? text.state.none : (databaseKinds[database] ?? database)}
        {databaseFault !== null && <DatabaseFault fault={databaseFault} />}
      </span>
    ),
  },
  { label: texts.size, show: (tenant) => <span class="nowrap">{sizeOf(tenant)}</span> },
  { label: texts.users, isNumber: true, show: ({ users }) => numbers.format(users) },
  { label: texts.webhooks, isNumber: true, show: (tenant) => <FailingWebhooks tenant={tenant} /> },
]

function FailingWebhooks({ tenant }: { tenant: TenantOverview }) {
  const { failingSubscriptions, deactivatedSubscriptions } = tenant
  const failing = failingSubscriptions + deactivatedSubscriptions
  if (failing === 0) return <>0</>
  return (
    <a class="badge bad" href={hrefOf('/health')}>
      {numbers.format(failing)}
    </a>
  )
}

function sizeOf({ databaseBytes, fileBytes }: TenantOverview): string {
  if (databaseBytes !== null) return bytesText(databaseBytes)
  return fileBytes === null || fileBytes === 0 ? text.state.none : texts.ofFiles(bytesText(fileBytes))
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

function bytesText(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const format = { style: 'unit', unit: units[step] ?? 'byte', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, format).format(bytes / 1000 ** step)
}
