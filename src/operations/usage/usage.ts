/** Counts how much tenants use the service: by hour for a day, and by day for two weeks. */
import { type Context, now } from '../../core/context.ts'
import type { IntervalJob } from '../../core/feature/job.ts'
import { retentionJob } from '../../core/retention.ts'
import { registry } from '../../core/tenant/directory.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import type { UsageCounts } from '../../core/tenant/usage.ts'
import { inBatches } from '../../database/batches.ts'
import type { InstallationData } from '../../database/data.ts'
import type { UsageOfPeriod } from './schema.ts'
import { addUsage, deleteUsage, type UsageRow, usageOf, usageWithin } from './sql.ts'

export const shownHours = 24
const shownDays = 14
const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** A period is stored as a letter and the start of an ISO time: the hour `h2026-01-31T09`, the day `d2026-01-31`. */
const kinds = {
  hour: { prefix: 'h', ms: hourMs, digits: 'YYYY-MM-DDThh'.length, shown: shownHours },
  day: { prefix: 'd', ms: dayMs, digits: 'YYYY-MM-DD'.length, shown: shownDays },
} as const
type Kind = keyof typeof kinds

const storeEveryMs = 60_000
/** Each tenant has two rows in a transaction: of the hour, and of the day. */
const tenantsPerTransaction = 200

/** Adds what this instance has counted since the last run. A process that ends loses its last minute. */
export const storeUsage: IntervalJob = {
  name: 'store the usage of tenants',
  everyMs: storeEveryMs,
  run: async ({ shared }) => {
    const { tenantUsage, catalogueDatabase, clock } = shared
    const unstored = new Map(tenantUsage.take())
    const periods = [periodAt('day', clock()), periodAt('hour', clock())]
    try {
      while (unstored.size > 0) {
        const batch = [...unstored].slice(0, tenantsPerTransaction)
        const rows = batch.flatMap(([id, counts]) => periods.map((period) => rowOf(id, period, counts)))
        const inOrder = rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
        await catalogueDatabase.transaction((transaction) => addUsage(registry(transaction), inOrder))
        for (const [id] of batch) unstored.delete(id)
      }
    } catch (error) {
      tenantUsage.giveBack(unstored)
      throw error
    }
  },
}

/** Removes hours and days that are no longer shown. */
export const usageRetention: IntervalJob = retentionJob(
  'usage of tenants',
  shownDays,
  async ({ database, before, isOwn, signal }) => {
    if (isOwn) return
    const day = { from: kinds.day.prefix, to: periodAt('day', before) }
    const nowMs = before.getTime() + shownDays * dayMs
    const hour = { from: kinds.hour.prefix, to: periodAt('hour', new Date(nowMs - 2 * dayMs)) }
    for (const range of [day, hour]) {
      const next = async (rows: number) => {
        const found = await usageWithin(registry(database.executor), range, rows)
        return found.length === 0 ? null : found
      }
      await inBatches(
        database,
        { next, work: (inside, found) => deleteUsage(registry(inside), found) },
        signal,
      )
    }
  },
)

/** The last periods of a tenant, oldest first, periods without requests included. */
export async function listUsage(context: Context, tenantId: string, kind: Kind): Promise<UsageOfPeriod[]> {
  const all = await readUsage(registry(context), [tenantId], { kind, moment: now(context) })
  return all.get(tenantId) ?? []
}

/** @returns for each tenant the last periods, oldest first */
export async function readUsage(
  installation: InstallationData,
  tenants: readonly string[],
  { kind, moment }: { kind: Kind; moment: string },
): Promise<Map<string, UsageOfPeriod[]>> {
  const { prefix, ms, shown } = kinds[kind]
  const periods = Array.from({ length: shown }, (_, index) =>
    periodAt(kind, new Date(Date.parse(moment) - (shown - 1 - index) * ms)),
  )
  const range = { from: periods[0] ?? prefix, to: `${prefix}:` } // a colon sorts after digits
  const rows = await usageOf(registry(installation.executor), tenants.map(foldTenantId), range)
  const found = new Map(rows.map((row) => [keyOf(row), row]))
  return new Map(
    tenants.map((id) => [
      id,
      periods.map((period) => describe(period, found.get(keyOf({ tenant_key: foldTenantId(id), period })))),
    ]),
  )
}

function describe(period: string, row: UsageRow | undefined): UsageOfPeriod {
  const text = period.slice(1)
  const from = text.length === kinds.day.digits ? `${text}T00:00:00.000Z` : `${text}:00:00.000Z`
  const { requests = 0, errors = 0, sign_ins: signIns = 0 } = row ?? {}
  return { from, requests: Number(requests), errors: Number(errors), signIns: Number(signIns) }
}

function periodAt(kind: Kind, moment: Date): string {
  const { prefix, digits } = kinds[kind]
  return `${prefix}${moment.toISOString().slice(0, digits)}`
}

function rowOf(id: string, period: string, { requests, errors, signIns }: UsageCounts): UsageRow {
  return { tenant_key: foldTenantId(id), period, requests, errors, sign_ins: signIns }
}

function keyOf({ tenant_key: key, period }: Pick<UsageRow, 'tenant_key' | 'period'>): string {
  return `${key}/${period}`
}
