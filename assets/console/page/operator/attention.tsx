/** Lists tenants that need attention: what is wrong, and a button or link for the next step. */
import type { IconNode } from 'lucide'
import { CircleX, Hourglass, TriangleAlert } from 'lucide'
import { Icon } from '../../component/icon.tsx'
import { Tile } from '../../component/tile.tsx'
import { hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import { TenantName, tenantHref, useTenantName } from '../tenant-name.tsx'

const texts = text.operator.health

export interface HealthOfTenant {
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

type Tone = 'bad' | 'warn' | 'info'
const icons: Record<Tone, IconNode> = { bad: CircleX, warn: TriangleAlert, info: Hourglass }

export function Attention({ tenants }: { tenants: readonly HealthOfTenant[] }) {
  return (
    <ul class="attention">
      {tenants.map((tenant) => (
        <AttentionOf key={tenant.tenantId} tenant={tenant} />
      ))}
    </ul>
  )
}

function AttentionOf({ tenant }: { tenant: HealthOfTenant }) {
  const { tenantId } = tenant
  const name = useTenantName(tenantId)
  return (
    <li>
      <Tile name={name} />
      <TenantName id={tenantId} />
      <Verb tenant={tenant} name={name} />
      <ul>
        {reasonsOf(tenant).map(([tone, reason]) => (
          <li key={reason}>
            <Icon node={icons[tone]} class={tone} /> <span>{reason}</span>
          </li>
        ))}
      </ul>
    </li>
  )
}

/** The next step for a tenant: a button that tries failed work again, or a link to look at the tenant. */
function Verb({ tenant, name }: { tenant: HealthOfTenant; name: string }) {
  const { tenantId, deadDeliveries, deadJobs, deadMails, databaseFault } = tenant
  const dead = { deliveries: deadDeliveries, jobs: deadJobs, mails: deadMails }
  const [of] = databaseFault === null ? (Object.entries(dead).find(([, count]) => count > 0) ?? []) : []
  const verb = of === undefined ? texts.show : text.operator.deadLetters.replay
  return (
    <a
      class="button"
      href={of === undefined ? tenantHref(tenantId) : hrefOf('/dead-letters', { tenantId, of })}
      aria-label={`${verb}: ${name}`}
    >
      {verb}
    </a>
  )
}

/** @returns the reasons, the worst first */
function reasonsOf(tenant: HealthOfTenant): [tone: Tone, reason: string][] {
  const { databaseFault, waitingDeliveries, waitingJobs, waitingMails } = tenant
  const all: [Tone, number, (count: number) => string][] = [
    ['bad', databaseFault === null ? 0 : 1, () => texts.faults[databaseFault ?? ''] ?? texts.fault],
    ['bad', tenant.deadDeliveries, texts.deadDeliveries],
    ['bad', tenant.deadJobs, texts.deadJobs],
    ['bad', tenant.deadMails, texts.deadMails],
    ['warn', tenant.deactivatedSubscriptions, texts.deactivated],
    ['warn', tenant.failingSubscriptions, texts.failing],
    [
      'info',
      waitingDeliveries + waitingJobs + waitingMails,
      () => texts.waiting(waitingDeliveries, waitingJobs, waitingMails),
    ],
  ]
  return all.flatMap(([tone, count, words]): [Tone, string][] => (count === 0 ? [] : [[tone, words(count)]]))
}
