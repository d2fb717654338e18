import { type Context, hostTenantId } from '../context.ts'
import { transferAudit } from './sql.ts'

/**
 * Inside a transaction: of a tenant that is to be erased the host keeps what was done with it as a whole, when, and by
 * which id. That says that there was such a tenant, and nothing of a person.
 */
export async function keepForHost(inside: Context, tenantId: string): Promise<void> {
  await transferAudit(inside.catalogue, tenantId, hostTenantId)
}
