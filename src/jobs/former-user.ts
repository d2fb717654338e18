/**
 * A job in which features remove what they store of a deleted user. Their rows may be in the tenant's own
 * database, which the transaction of the deletion cannot change. It stores a job of the host tenant,
 * whose rows are beside the users.
 */
import { type Static, Type } from 'typebox'
import { type Context, hostTenantId } from '../core/context.ts'
import { operatorContext, transactionContext } from '../core/create-context.ts'
import { ServiceError } from '../core/errors.ts'
import type { Feature } from '../core/feature/feature.ts'
import { job, type QueuedJob } from '../core/feature/job.ts'
import { lookUpTenant } from '../core/tenant/directory.ts'
import { forTenant } from '../core/tenant/each-tenant.ts'
import { enqueue } from './enqueue.ts'

const FormerUser = Type.Object({ tenantId: Type.String(), userId: Type.String({ format: 'uuid' }) })
type FormerUser = Static<typeof FormerUser>

const name = 'user.forget'
/** The waits between attempts, in seconds. A tenant's own database may be unavailable for some time. */
const retrySeconds = [5, 60, 600, 3600, 6 * 3600, 24 * 3600]
const timeoutSeconds = 3600

/** @returns no job if no feature stores anything of users */
export function formerUserJobs(features: readonly Feature[]): QueuedJob[] {
  const interested = features.flatMap(({ forgetUser }) => forgetUser ?? [])
  if (interested.length === 0) return []
  const run = (operator: Context, { tenantId, userId }: FormerUser) =>
    forTenant(operator, tenantId, async (context) => {
      for (const forget of interested) await forget(context, userId)
    }).catch(unlessErased)
  return [job(name, { data: FormerUser, retrySeconds, timeoutSeconds, run }, true)] // for the installation, with its rights
}

/** Ignores that the tenant was erased in the meantime: nothing is left to remove. */
function unlessErased(error: unknown): void {
  if (!(error instanceof ServiceError) || error.kind !== 'notFound') throw error
}

/** Enqueues the job, in the transaction of the catalogue that deletes the user. */
export async function enqueueFormerUser(inside: Context, user: FormerUser): Promise<void> {
  const { shared, transaction } = inside
  if (shared.jobs.find(name) === null) return
  const host = await lookUpTenant(inside, hostTenantId)
  if (transaction === null || host === null) throw new Error('A user was deleted outside a transaction.')
  const atHost = transactionContext(operatorContext(shared, host), shared.catalogueDatabase, transaction)
  await enqueue(atHost, name as never, user as never) // the job is declared, as checked above
}
