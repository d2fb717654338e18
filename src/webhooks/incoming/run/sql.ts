/** Statements on the runs of a receipt. */
import type { Selectable } from 'kysely'
import { deferBuilt, type TenantData } from '../../../database/data.ts'
import { pick, prepare } from '../../../database/prepared.ts'
import { lockForTenant } from '../../../database/tenant-lock.ts'
import type { WebhookRunTable } from '../table.ts'

export type RunRow = Omit<Selectable<WebhookRunTable>, 'tenant_id'>

export const runColumns = [
  'receipt_id',
  'id',
  'rule_id',
  'action',
  'owner',
  'status',
  'attempts',
  'error',
  'next_at',
  'created_at',
  'finished_at',
  'origin',
] as const

const lastRuns = prepare((tables, p: { receiptId: string; limit: number }) =>
  tables
    .selectFrom('webhook_run')
    .select(runColumns)
    .where('receipt_id', '=', p.receiptId)
    .orderBy('id', 'desc')
    .limit(p.limit),
)

const statusesOf = prepare((tables, p: { receiptId: string }) =>
  tables.selectFrom('webhook_run').select('status').distinct().where('receipt_id', '=', p.receiptId),
)

const summariesOf = prepare((tables, p: { receiptId: string }) =>
  tables
    .selectFrom('webhook_run')
    .select(['id', 'rule_id as ruleId', 'status', 'next_at as nextAt'])
    .where('receipt_id', '=', p.receiptId)
    .orderBy('id'),
)

const ofChain = prepare((tables, p: { origin: string }) =>
  tables
    .selectFrom('webhook_run')
    .select(({ fn }) => fn.countAll<number>().as('number'))
    .where('origin', '=', p.origin),
)

const insertOne = prepare((tables, p: RunRow) => tables.insertInto('webhook_run').values(pick(p, runColumns)))

const replace = prepare((tables, p: RunRow) =>
  tables
    .updateTable('webhook_run')
    .set(pick(p, ['status', 'attempts', 'error', 'next_at', 'finished_at']))
    .where('receipt_id', '=', p.receipt_id)
    .where('id', '=', p.id),
)

/** The newest runs, in the order in which they began. */
export async function runsOfReceipt(data: TenantData, receiptId: string, limit: number): Promise<RunRow[]> {
  return (await data.all(lastRuns, { receiptId, limit })).toReversed()
}

/** @returns the statuses of the runs of the receipt, each once */
export async function runStatusesOf(data: TenantData, receiptId: string): Promise<string[]> {
  return (await data.all(statusesOf, { receiptId })).map(({ status }) => status)
}

export async function insertRun(data: TenantData, run: RunRow): Promise<void> {
  await data.change(insertOne, run)
}

/** Adds runs. They are sent to the database with the next statement, or with the commit. */
export async function insertRuns(data: TenantData, runs: readonly RunRow[]): Promise<void> {
  if (runs.length > 0) await deferBuilt(data, data.kysely.insertInto('webhook_run').values([...runs]))
}

export async function replaceRun(data: TenantData, run: RunRow): Promise<void> {
  await data.change(replace, run)
}

/** A run without its error and most of its times. */
export interface RunSummary {
  id: string
  ruleId: string
  status: string
  nextAt: string | null
}

/** All runs of the receipt, in the order in which they began. */
export function runSummaries(data: TenantData, receiptId: string): Promise<RunSummary[]> {
  return data.all(summariesOf, { receiptId })
}

/** Marks the runs of these rules that have not succeeded as replaced. */
export async function supersedeRuns(
  data: TenantData,
  receiptId: string,
  { ruleIds, now }: { ruleIds: readonly string[]; now: string },
): Promise<void> {
  await data.kysely
    .updateTable('webhook_run')
    .set(({ fn, val }) => ({
      status: 'REPLACED',
      next_at: null,
      finished_at: fn.coalesce('finished_at', val(now)),
    }))
    .where('receipt_id', '=', receiptId)
    .where('rule_id', 'in', [...ruleIds])
    .where('status', 'not in', ['SUCCEEDED', 'REPLACED'])
    .execute()
}

/** Deletes ended runs. @param until the newest run to delete @param except runs that stay */
export async function deleteRuns(
  data: TenantData,
  receiptId: string,
  { until, except }: { until: string; except: readonly string[] },
): Promise<void> {
  let runs = data.kysely
    .deleteFrom('webhook_run')
    .where('receipt_id', '=', receiptId)
    .where('id', '<=', until)
    .where('next_at', 'is', null)
  if (except.length > 0) runs = runs.where('id', 'not in', [...except])
  await runs.execute()
}

/**
 * Locks the chains of webhooks of the tenant: until this transaction ends, no other
 * transaction adds runs to a chain.
 */
export async function lockChains(data: TenantData): Promise<void> {
  await lockForTenant(data, 'chains')
}

export async function countRunsOfChain(data: TenantData, origin: string): Promise<number> {
  return (await data.first(ofChain, { origin }))?.number ?? 0
}
