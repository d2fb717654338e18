/** Lists the tenants in which webhooks, jobs or mails wait or have failed, or whose own database is not served. */
import { CachedCount } from '../../core/cached-count.ts'
import type { ListKey } from '../../core/page.ts'
import type { FaultyDatabase } from '../../core/tenant/database-state.ts'
import type { Database } from '../../database/executor.ts'
import { countJobsByTenant } from '../../jobs/metrics/by-tenant.ts'
import type { OwnDeadJobs } from '../../jobs/metrics/dead/count.ts'
import { countMailsByTenant } from '../../mail/by-tenant.ts'
import type { QueueStatistics } from '../../webhooks/outgoing/metrics/statistics.ts'
import { countWebhooksByTenant } from '../../webhooks/outgoing/metrics/tenant/by-tenant.ts'
import { figures, type HealthOfTenant } from './schema.ts'

/** The maximum number of tenants for each figure. Further tenants of a large installation are not counted. */
const maxTenants = 1000

export interface TenantHealthParts {
  /** The database of the catalogue. */
  database: Database
  clock: () => Date
  /** Has the last counts in tenants' own databases. */
  statistics: QueueStatistics
  ownDeadJobs: OwnDeadJobs
}

export class TenantHealth {
  readonly #statistics: QueueStatistics
  readonly #ownDeadJobs: OwnDeadJobs
  readonly #shared: CachedCount<Map<string, HealthOfTenant>>

  constructor({ database, clock, statistics, ownDeadJobs }: TenantHealthParts) {
    this.#statistics = statistics
    this.#ownDeadJobs = ownDeadJobs
    this.#shared = new CachedCount(clock, () => countShared(database))
  }

  /**
   * Counts what waits and what is dead in all tenants. Of tenants' own databases, the last counts of deliveries and of dead
   * jobs are added: jobs that wait there are not counted. Mails are all in the catalogue.
   * @throws StatementTimedOut, DatabaseUnavailable
   */
  async totals(): Promise<Record<'waiting' | 'dead', { deliveries: number; jobs: number; mails: number }>> {
    const all = await this.list()
    const sum = (name: (typeof figures)[number]) => all.reduce((total, each) => total + each[name], 0)
    return {
      waiting: { deliveries: sum('waitingDeliveries'), jobs: sum('waitingJobs'), mails: sum('waitingMails') },
      dead: { deliveries: sum('deadDeliveries'), jobs: sum('deadJobs'), mails: sum('deadMails') },
    }
  }

  /**
   * In the order of `healthKey`.
   * @param faults of tenants' own databases @throws StatementTimedOut, DatabaseUnavailable
   */
  async list(faults: readonly FaultyDatabase[] = []): Promise<HealthOfTenant[]> {
    const all = new Map(await this.#shared.read())
    for (const [tenantId, counts] of this.#statistics.ofOwnDatabases()) {
      const known = all.get(tenantId) ?? noneOf(tenantId)
      all.set(tenantId, {
        ...known,
        failingSubscriptions: known.failingSubscriptions + counts.failing,
        deactivatedSubscriptions: known.deactivatedSubscriptions + counts.deactivated,
        waitingDeliveries: known.waitingDeliveries + counts.waiting,
        deadDeliveries: known.deadDeliveries + counts.dead,
      })
    }
    for (const [tenantId, names] of this.#ownDeadJobs.byTenant) {
      const known = all.get(tenantId) ?? noneOf(tenantId)
      const deadJobs = names.reduce((sum, { jobs }) => sum + jobs, known.deadJobs)
      all.set(tenantId, { ...known, deadJobs })
    }
    for (const { tenantId, fault } of faults)
      all.set(tenantId, { ...(all.get(tenantId) ?? noneOf(tenantId)), databaseFault: fault })
    return [...all.values()].filter(hasAny).sort(byKey)
  }
}

/** The key of the list: tenants whose database is not served come first, then those with the most failures. */
export const healthKey: ListKey<HealthOfTenant> = {
  of: (health) => {
    const rank = `${Number.MAX_SAFE_INTEGER - failuresOf(health)}`.padStart(16, '0')
    return `${health.databaseFault === null ? 1 : 0}${rank}${health.tenantId}`
  },
  accepts: (text) => /^[01]\d{16}./.test(text),
}

/** Counts in the shared database, where indexes have the work that waits or has failed. */
async function countShared(database: Database): Promise<Map<string, HealthOfTenant>> {
  const counts = {
    ...(await countWebhooksByTenant(database, maxTenants)),
    ...(await countJobsByTenant(database, maxTenants)),
    ...(await countMailsByTenant(database, maxTenants)),
  }
  const all = new Map<string, HealthOfTenant>()
  for (const name of figures)
    for (const { tenant_id: tenantId, count } of counts[name]) {
      const known = all.get(tenantId) ?? noneOf(tenantId)
      all.set(tenantId, { ...known, [name]: Number(count) })
    }
  return all
}

function noneOf(tenantId: string): HealthOfTenant {
  return {
    tenantId,
    failingSubscriptions: 0,
    deactivatedSubscriptions: 0,
    deadDeliveries: 0,
    waitingDeliveries: 0,
    deadJobs: 0,
    waitingJobs: 0,
    deadMails: 0,
    waitingMails: 0,
    databaseFault: null,
  }
}

function hasAny(health: HealthOfTenant): boolean {
  return health.databaseFault !== null || figures.some((name) => health[name] > 0)
}

function byKey(one: HealthOfTenant, other: HealthOfTenant): number {
  return healthKey.of(one) < healthKey.of(other) ? -1 : 1
}

function failuresOf(health: HealthOfTenant): number {
  const { failingSubscriptions, deactivatedSubscriptions, deadDeliveries, deadJobs, deadMails } = health
  return failingSubscriptions + deactivatedSubscriptions + deadDeliveries + deadJobs + deadMails
}
