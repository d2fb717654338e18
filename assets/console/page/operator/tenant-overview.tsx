/** The columns of the list of tenants that only operators see. */

import { bytesText } from '../../component/bytes.ts'
import type { Column } from '../../component/data-table.tsx'
import { Sparkline } from '../../component/sparkline.tsx'
import { hrefOf } from '../../router.ts'
import { numbers, text } from '../../text/text.ts'
import { TenantState } from '../operation/tenant-state.tsx'
import type { Tenant } from '../operation/tenant-type.ts'
import { DatabaseFault } from './database-fault.tsx'

const texts = text.operator.overview
const { usage: usageTexts, size: sizeTexts } = text.operator
const { databaseKinds } = text.administration.tenants

export const overviewPath = '/api/tenant-overview'

export interface TenantOverview extends Tenant {
  isBeingErased: boolean
  isMoving: boolean
  /** The kind of the database; `null` if the service cannot read its address. */
  database: string | null
  databaseBytes: number | null
  /** The estimated size in the shared database; `null` until it is measured, and for a tenant with its own database. */
  estimate: { bytes: number; isComplete: boolean } | null
  fileBytes: number | null
  databaseFault: string | null
  users: number
  usage: { errors: number; requests: number; requestsByDay: readonly number[]; signIns: number }
  failingSubscriptions: number
  deactivatedSubscriptions: number
}

export function State({ tenant: { isActive, isMoving, isBeingErased } }: { tenant: TenantOverview }) {
  return (
    <span class="names">
      <TenantState isActive={isActive} />
      {isMoving && <span class="badge">{texts.moving}</span>}
      {isBeingErased && <span class="badge bad">{texts.erased}</span>}
    </span>
  )
}

export const overviewColumns: readonly Column<TenantOverview>[] = [
  { label: texts.size, isNumber: true, show: (tenant) => <Size tenant={tenant} /> },
  {
    label: usageTexts.requests,
    show: ({ usage }) => (
      <span class="in-cell">
        <Sparkline values={usage.requestsByDay} label={usageTexts.ofDays(numbers.format(usage.requests))} />
        <span class="figures">{numbers.format(usage.requests)}</span>
      </span>
    ),
  },
  { label: usageTexts.signIns, isNumber: true, show: ({ usage }) => numbers.format(usage.signIns) },
  {
    label: usageTexts.errors,
    isNumber: true,
    show: ({ usage: { errors } }) =>
      errors === 0 ? 0 : <span class="badge bad">{numbers.format(errors)}</span>,
  },
  { label: texts.webhooks, isNumber: true, show: (tenant) => <FailingWebhooks tenant={tenant} /> },
  {
    label: texts.database,
    show: ({ database, databaseFault }) => (
      <span class="row">
        {database === null ? text.state.none : (databaseKinds[database] ?? database)}
        {databaseFault !== null && <DatabaseFault fault={databaseFault} />}
      </span>
    ),
  },
  { label: texts.users, isNumber: true, show: ({ users }) => numbers.format(users) },
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

function Size({ tenant }: { tenant: TenantOverview }) {
  const { database, databaseBytes, estimate, fileBytes } = tenant
  const files = fileBytes === null || fileBytes === 0 ? null : texts.ofFiles(bytesText(fileBytes))
  if (databaseBytes !== null) return <span class="nowrap">{bytesText(databaseBytes)}</span>
  if (estimate === null && database === 'shared')
    return (
      <span class="soft" role="img" title={sizeTexts.measuring} aria-label={sizeTexts.measuring}>
        …
      </span>
    )
  if (estimate === null) return <>{text.state.none}</>
  const shown = bytesText(estimate.bytes + (fileBytes ?? 0))
  return (
    <span class="nowrap" title={files ?? undefined}>
      {estimate.isComplete ? shown : sizeTexts.atLeast(shown)}
    </span>
  )
}
