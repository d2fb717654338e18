/** Tries again what has failed, when its time has come. */

import { type Context, now, type Tenant } from '../../context.ts'
import { QueueData, TenantData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import type { Job } from '../../feature.ts'
import { levelOf } from '../../tenant-core/away.ts'
import { lookUpTenant } from '../../tenant-core/lookup.ts'
import { inTransaction } from '../../transaction.ts'
import { attempt, settleReceipt, subjectOf } from '../receipt/run.ts'
import { findReceipt, lockReceipt, replaceRun, runsOfReceipt } from '../receipt/sql.ts'
import { type DueRun, dueRuns, hasWaitingRun, tenantsWithDueRuns } from './sql.ts'
import type { Waiting } from './waiting.ts'

const everyMs = 1000
/** How often databases are asked in which nothing is known to wait: an instance that has ended may have left it. */
const visitEveryMs = 30_000
const atOnce = 50

/** @param busy tenants whose own database may hold something that waits */
export function retryJob(waiting: Waiting, busy: () => Promise<string[]>): Job {
  let visitAtMs = 0
  return {
    name: 'actions tried again',
    everyMs,
    run: async (operator) => {
      await retryShared(operator, waiting)
      if (performance.now() >= visitAtMs) {
        visitAtMs = performance.now() + visitEveryMs
        for (const id of await busy()) waiting.note({ id, hasOwnDatabase: true })
      }
      for (const id of waiting.tenantIds()) await retryOwn(operator, id, waiting)
    },
  }
}

/** Of every tenant whose rows are in the shared database. */
export async function retryShared(operator: Context, waiting: Waiting): Promise<void> {
  const database = operator.shared.catalogueDatabase
  for (const id of await tenantsWithDueRuns(new QueueData(database.executor), now(operator))) {
    const tenant = await lookUpTenant(operator, id)
    // Those of a deactivated tenant wait until it is active again.
    const isHere = tenant?.isActive === true && !tenant.hasOwnDatabase
    if (isHere) await retryTenant(operator, tenant, database, waiting)
  }
}

async function retryOwn(operator: Context, tenantId: string, waiting: Waiting): Promise<void> {
  const { shared } = operator
  const tenant = await lookUpTenant(operator, tenantId)
  if (tenant === null || !tenant.isActive || !tenant.hasOwnDatabase) return waiting.forget(tenantId)
  try {
    const lease = await shared.tenantDatabases.lease(tenant)
    try {
      await retryTenant(operator, tenant, lease.database, waiting)
      const data = new TenantData(tenant.id, lease.database.executor)
      if (!(await hasWaitingRun(data))) waiting.forget(tenantId)
    } finally {
      lease.release()
    }
  } catch (error) {
    shared.log[levelOf(error)]({ err: error, tenantId }, 'actions of a tenant not tried again')
  }
}

async function retryTenant(
  operator: Context,
  tenant: Tenant,
  database: Database,
  waiting: Waiting,
): Promise<void> {
  const context = contextOf(operator, tenant, database)
  for (const run of await dueRuns(context.data, now(operator), atOnce)) {
    try {
      await inTransaction(context, (inside) => retryRun(inside, run, waiting.retrySeconds))
    } catch (error) {
      operator.shared.log.warn({ err: error, tenantId: tenant.id, run: run.id }, 'action not tried again')
    }
  }
}

/** Another instance, or a replay, may have been faster: only what is still due is run. */
async function retryRun(inside: Context, due: DueRun, schedule: readonly number[]): Promise<void> {
  await lockReceipt(inside.data, due.receiptId)
  const receipt = await findReceipt(inside.data, due.receiptId)
  const run = (await runsOfReceipt(inside.data, due.receiptId)).find(({ id }) => id === due.id)
  if (receipt === null || run === undefined || run.next_at === null || run.next_at > now(inside)) return
  await replaceRun(inside.data, await attempt(inside, run, subjectOf(receipt), schedule))
  await settleReceipt(inside, receipt.id)
}

/** Of the tenant, and of nobody in particular. */
function contextOf(operator: Context, tenant: Tenant, database: Database): Context {
  return {
    shared: operator.shared,
    requestId: operator.requestId,
    clientAddress: null,
    signal: null,
    tenant,
    owner: null,
    actor: null,
    once: null,
    hops: 0,
    tenantDatabase: database,
    data: new TenantData(tenant.id, database.executor),
    catalogue: operator.catalogue,
    transaction: null,
    transactionDatabase: null,
  }
}

/** Whether the tenant's own database has to stay known: something there is still to be tried. */
export async function isAwaited(operator: Context, tenantId: string): Promise<boolean> {
  const tenant = await lookUpTenant(operator, tenantId)
  if (tenant === null || !tenant.hasOwnDatabase) return false
  const lease = await operator.shared.tenantDatabases.lease(tenant)
  return hasWaitingRun(new TenantData(tenant.id, lease.database.executor)).finally(() => lease.release())
}
