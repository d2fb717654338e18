/** Retries failed work of many tenants: visits one tenant after the other, each for a bounded time. */
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { DeadWorkRetry, RetriedWork } from '../../core/queue/dead-work.ts'
import { lookUpTenant } from '../../core/tenant/directory.ts'
import { withTenant } from '../../core/tenant/each-tenant.ts'
import { type Database, DatabaseUnavailable } from '../../database/executor.ts'
import type { DeadGroups } from './groups.ts'
import { deactivated, type Retried, type RetryRun } from './retry-run.ts'

const tenantsPerPage = 100
/** The bounds of one visit to a tenant. Work that is left is retried after that of the other tenants. */
const maxOfVisit = 1000
const maxVisitMs = 1000

export interface WorkOfTenants {
  /** Adds the tenants with failed work in their own databases, which `tenantsWith` does not find. */
  groups: Pick<DeadGroups<unknown>, 'withOwn'>
  /** The one group to retry; all groups if absent. */
  group: string | undefined
  /** The tenants of a database that have failed work, in the order of their ids. */
  tenantsWith: (database: Database, after: string, limit: number) => Promise<string[]>
  /** Retries the work of one tenant. */
  retry: (inside: Context, retry: DeadWorkRetry) => Promise<RetriedWork>
}

export async function retryByTenant(context: Context, run: RetryRun, work: WorkOfTenants): Promise<Retried> {
  for (;;) {
    const page = await nextTenants(context, run, work)
    for (const id of page) {
      if ((await visitTenant(context, run, { ...work, id })) === 'interrupted') {
        run.interrupt()
        return run.report
      }
      run.after = id
    }
    if (run.tenantId === undefined && page.length === tenantsPerPage) continue
    if (!run.needsAnotherRound) return run.report
    run.needsAnotherRound = false
    run.after = ''
  }
}

async function nextTenants(
  { shared }: Context,
  { tenantId, after }: RetryRun,
  { groups, tenantsWith }: WorkOfTenants,
): Promise<string[]> {
  if (tenantId !== undefined) return tenantId > after ? [tenantId] : []
  const inShared = await tenantsWith(shared.catalogueDatabase, after, tenantsPerPage)
  return groups.withOwn(inShared, after, tenantsPerPage)
}

interface Visit extends Pick<WorkOfTenants, 'group' | 'retry'> {
  id: string
}

/** @returns `interrupted` without a visit, when the request has reached one of its bounds */
async function visitTenant(
  context: Context,
  run: RetryRun,
  { id, retry, group }: Visit,
): Promise<'done' | 'interrupted'> {
  const { remaining } = run
  if (remaining === 0) return 'interrupted' // also when the time of the request is over
  const tenant = await lookUpTenant(context, id)
  if (tenant === null) return 'done'
  if (!tenant.isActive || tenant.isBeingErased) return fail(run, tenant.id, deactivated)
  const { id: actorId, userName } = run.actor
  try {
    const { groups, isDone } = await withTenant(context, tenant, (inside) =>
      retry(inside, {
        ...(group !== undefined && { group }),
        until: run.until,
        limit: Math.min(remaining, maxOfVisit),
        endMs: Math.min(run.endMs, performance.now() + maxVisitMs),
        actor: { id: actorId, userName },
      }),
    )
    for (const { group: name, count } of groups) run.add(tenant.id, name, count)
    if (!isDone) run.needsAnotherRound = true
    return 'done'
  } catch (error) {
    const isAway = error instanceof ServiceError && error.kind === 'unavailable'
    if (isAway || error instanceof DatabaseUnavailable) return fail(run, tenant.id, error.message)
    throw error
  }
}

function fail(run: RetryRun, tenantId: string, message: string): 'done' {
  run.fail(tenantId, message)
  return 'done'
}
