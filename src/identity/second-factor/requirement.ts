/**
 * Decides whether a tenant requires a second factor. The setting is in the database of the tenant. A tenant with
 * its own database also has a copy in the catalogue, which decides while that database cannot be reached.
 */
import { Type } from 'typebox'
import { type Context, now } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { tenantSetting } from '../../core/tenant/settings/cache.ts'
import { setting } from '../../core/tenant/settings/setting.ts'
import { inCatalogue, inCatalogueFirst } from '../../core/transaction.ts'
import { DatabaseUnavailable } from '../../database/executor.ts'
import { deleteRequirement, findRequirement, upsertRequirement } from './sql.ts'

export const requireSecondFactor = setting(
  Type.Boolean({
    description:
      'Whether users who sign in with a password need a second factor. They add one at their next sign-in',
  }),
  { default: false },
)

/** The age of a copy after which it may be corrected: a newer copy may be of a change that has not committed yet. */
const settledMs = 60_000

/**
 * Whether users of the context's tenant need a second factor. To be called outside transactions. While the tenant's own
 * database cannot be reached, the copy decides.
 */
export async function needsSecondFactor(context: Context): Promise<boolean> {
  const { catalogue, tenant } = context
  if (!tenant.hasOwnDatabase) return tenantSetting(context, requireSecondFactor)
  const copied = await findRequirement(catalogue)
  try {
    const isRequired = await tenantSetting(context, requireSecondFactor)
    if (isRequired !== (copied !== null)) await correct(context, isRequired, copied)
    return isRequired
  } catch (error) {
    if (!isAway(error)) throw error
    return copied !== null
  }
}

/**
 * Writes the copy, inside the transaction that changes the setting. If the tenant has its own database, the copy is
 * in another database: a new requirement is copied before this transaction commits, and the copy of an ended one
 * stays until a sign-in finds that it is wrong.
 */
export async function copyRequirement(inside: Context, isRequired: boolean): Promise<void> {
  const isInCatalogue = inside.transactionDatabase === inside.shared.catalogueDatabase
  if (isRequired || isInCatalogue) await inCatalogueFirst(inside, (first) => write(first, isRequired))
}

/** @param copied when the wrong copy was made, or `null` without one */
async function correct(context: Context, isRequired: boolean, copied: string | null): Promise<void> {
  const settledBefore = new Date(context.shared.clock().getTime() - settledMs).toISOString()
  if (copied !== null && copied > settledBefore) return
  await inCatalogue(context, (inside) =>
    isRequired ? write(inside, true) : deleteRequirement(inside.catalogue, copied),
  )
}

async function write(inside: Context, isRequired: boolean): Promise<void> {
  if (isRequired) await upsertRequirement(inside.catalogue, now(inside))
  else await deleteRequirement(inside.catalogue)
}

function isAway(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailable || (error instanceof ServiceError && error.kind === 'unavailable')
  )
}
