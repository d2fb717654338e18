/** Visits the databases of tenants one after the other, each for a share: none keeps the others waiting for long. */
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { DeadWorkRetry, RetriedWork } from '../../core/queue/dead-work.ts'
import { lookUpTenant } from '../../core/tenant/directory.ts'
import { withTenant } from '../../core/tenant/each-tenant.ts'
import { DatabaseUnavailable } from '../../database/executor.ts'
import { deactivated, type RetryRun } from './retry-run.ts'

const tenantsPerPage = 100
/** The bounds of one visit to a tenant. What is left has a turn after the other tenants. */
const maxOfVisit = 1000
const maxVisitMs = 1000

export interface WorkOfTenants {
  /** The one group; all if absent. */
  group: string | undefined
  /** The tenants that have any, in the order of their ids. */
  tenants: (after: string, limit: number) => Promise<string[]>
  /** Tries it again in one tenant. */
  retry: (inside: Context, retry: DeadWorkRetry) => Promise<RetriedWork>
}

export async function retryByTenant(context: Context, run: RetryRun, work: WorkOfTenants): Promise<void> {
  const { tenantId } = run
  const tenantsAfter =
    tenantId === undefined ? work.tenants : async (after: string) => (tenantId > after ? [tenantId] : [])
  for (;;) {
    const page = await tenantsAfter(run.after, tenantsPerPage)
    for (const id of page) {
      if ((await visitTenant(context, run, { ...work, id })) === 'interrupted') return run.interrupt()
      run.after = id
    }
    if (tenantId === undefined && page.length === tenantsPerPage) continue
    if (!run.isRound) return
    run.isRound = false
    run.after = ''
  }
}

interface Visit extends WorkOfTenants {
  id: string
}

/** @returns whether the tenant is done for this round */
async function visitTenant(
  context: Context,
  run: RetryRun,
  { id, retry, group }: Visit,
): Promise<'done' | 'interrupted'> {
  const { room } = run
  if (room === 0) return 'interrupted'
  const tenant = await lookUpTenant(context, id)
  if (tenant === null) return 'done'
  if (!tenant.isActive || tenant.isBeingErased) return fail(run, tenant.id, deactivated)
  const { id: actorId, userName } = run.actor
  try {
    const { groups, isDone } = await withTenant(context, tenant, (inside) =>
      retry(inside, {
        ...(group !== undefined && { group }),
        until: run.until,
        limit: Math.min(room, maxOfVisit),
        endMs: Math.min(run.endMs, performance.now() + maxVisitMs),
        actor: { id: actorId, userName },
      }),
    )
    for (const { group: name, count } of groups) run.add(tenant.id, name, count)
    if (!isDone) run.isRound = true
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
