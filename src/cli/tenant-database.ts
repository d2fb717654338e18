import type { Context, Tenant } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import { deepestReason } from './failure.ts'

/** Creates and migrates the tenant's own database where that is due. @returns why it failed; `null` when it is ready */
export async function prepareDatabase(context: Context, tenant: Tenant): Promise<string | null> {
  try {
    const lease = await context.shared.tenantDatabases.lease(tenant)
    lease.release()
    return null
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return deepestReason(error)
  }
}
