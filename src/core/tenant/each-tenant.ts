/**
 * Runs code of the operator for every tenant, or for one: a command of the application, or a job of the
 * installation.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context, Tenant } from '../context.ts'
import { jobContext } from '../create-context.ts'
import { refusal } from '../errors.ts'
import { lookUpTenant, registry } from './directory.ts'
import { tenantPage, tenantsOf } from './sql.ts'
import { foldTenantId } from './tenant-id.ts'
import { withTenantDatabase } from './with-database.ts'

const pageSize = 200
const maxErrors = 100

/** Active tenants in the order of their ids, page by page. */
export async function* activeTenants(context: Context): AsyncGenerator<Tenant> {
  for (let after = ''; ; ) {
    const page = await tenantPage(registry(context), after, pageSize)
    yield* page.filter(({ isActive, isBeingErased }) => isActive && !isBeingErased)
    const last = page.at(-1)
    if (last === undefined) return
    after = foldTenantId(last.id)
    await nextTurn() // on SQLite queries do not yield to other work
  }
}

/** Reads tenants from the catalogue, not from the cache. @param keys case-folded ids */
export function findTenants(context: Context, keys: readonly string[]): Promise<Tenant[]> {
  return tenantsOf(registry(context), keys)
}

/**
 * Runs the work with a context of each active tenant, one after the other. A tenant whose work fails does not keep the
 * others from theirs.
 * @param operator a context with the rights of the operator
 * @throws AggregateError after the last tenant, with the first errors
 */
export async function forEachTenant(
  operator: Context,
  run: (context: Context) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = []
  let failed = 0
  for await (const tenant of activeTenants(requireOperator(operator))) {
    operator.signal?.throwIfAborted()
    try {
      await withTenant(operator, tenant, run)
    } catch (error) {
      operator.shared.log.warn({ err: error, tenantId: tenant.id }, 'work for a tenant failed')
      failed++
      if (errors.length < maxErrors) errors.push(error)
    }
  }
  if (failed > 0) throw new AggregateError(errors, `The work failed for ${failed} tenants.`)
}

/**
 * Runs the work with a context of one tenant, as an administrator of it without a session.
 * @param operator a context with the rights of the operator
 * @throws ServiceError `notFound` for an unknown tenant, `unavailable` while its database cannot be reached
 */
export async function forTenant<T>(
  operator: Context,
  tenantId: string,
  run: (context: Context) => Promise<T>,
): Promise<T> {
  const tenant = await lookUpTenant(requireOperator(operator), tenantId)
  if (tenant === null) throw refusal('noSuch', { label: 'tenant' })
  return withTenant(operator, tenant, run)
}

/** Runs the work with a context of the tenant, whose database stays open until the work ends. */
export async function withTenant<T>(
  { shared, signal, actor }: Context,
  tenant: Tenant,
  run: (context: Context) => Promise<T>,
): Promise<T> {
  const job = actor?.userName ?? 'operator'
  return withTenantDatabase(shared, tenant, (database) =>
    run(jobContext(shared, { tenant, database, job, signal, hops: 0, origin: null })),
  )
}

/** @throws ServiceError `forbidden` for any other context: a request may act only in its own tenant */
function requireOperator(context: Context): Context {
  if (context.actor?.credential.kind === 'operator') return context
  throw refusal('operatorRequired')
}
