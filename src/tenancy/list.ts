/** The list of tenants. Administrators of the host see all tenants, other administrators their own. */
import { isHostAdmin } from '../core/actor.ts'
import type { Context, Tenant } from '../core/context.ts'
import type { Page, PageRequest } from '../core/page.ts'
import { registry } from '../core/tenant/directory.ts'
import { readTenantPage } from '../core/tenant/page.ts'
import { tenantPage } from '../core/tenant/sql.ts'
import { hasWords, searchTenants, searchWords } from './search/search.ts'
import { getTenant } from './tenant.ts'

/** @param limit `null` for all @throws ServiceError `invalid` for a foreign cursor */
export async function listTenants(
  context: Context,
  { limit, cursor }: { limit: number | null; cursor?: string },
): Promise<Page<Tenant>> {
  const range = { limit: limit ?? Number.POSITIVE_INFINITY, ...(cursor !== undefined && { cursor }) }
  return readTenants(context, range)
}

/**
 * The same with a count, and with a search.
 * @throws ServiceError `invalid` for a foreign cursor and for too many words
 */
export async function readTenants(
  context: Context,
  { search = '', ...request }: PageRequest & { search?: string },
): Promise<Page<Tenant>> {
  const words = searchWords(search)
  if (!isHostAdmin(context.actor)) {
    const own = await getTenant(context, context.tenant.id)
    const items = hasWords(own, words) ? [own] : []
    return { items, next: null, total: items.length }
  }
  if (words.length > 0) return searchTenants(context, words, request)
  return readTenantPage(registry(context), request, tenantPage)
}
