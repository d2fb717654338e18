/** The list of tenants. Administrators of the host see all tenants, other administrators their own. */

import { isHostAdmin } from '../core/actor.ts'
import type { Context, Tenant } from '../core/context.ts'
import { defined } from '../core/defined.ts'
import { type Page, type PageRequest, pageOf } from '../core/page.ts'
import { registry } from '../core/tenant/directory.ts'
import { readTenantPage } from '../core/tenant/page.ts'
import { tenantPage, tenantsOf } from '../core/tenant/sql.ts'
import { foldTenantId, isTenantId } from '../core/tenant/tenant-id.ts'
import { hasWords, searchTenants, searchWords } from './search/search.ts'
import { getTenant } from './tenant.ts'

/**
 * Lists tenants without a search.
 * @param limit `null` for all tenants
 * @throws ServiceError `invalid` for a foreign cursor
 */
export async function listTenants(
  context: Context,
  { limit, cursor }: { limit: number | null; cursor?: string },
): Promise<Page<Tenant>> {
  const range = defined({ limit: limit ?? Number.POSITIVE_INFINITY, cursor })
  return readTenants(context, range)
}

/**
 * Lists tenants, optionally with a count, those with certain words, or those with certain ids.
 * @param search words that must all occur in the id or the name
 * @throws ServiceError `invalid` for a foreign cursor and for too many words
 */
export async function readTenants(
  context: Context,
  { search = '', 'id[in]': ids, ...request }: PageRequest & { search?: string; 'id[in]'?: string },
): Promise<Page<Tenant>> {
  const words = searchWords(search)
  const keys = ids === undefined ? null : new Set(ids.split(',').filter(isTenantId).map(foldTenantId))
  if (!isHostAdmin(context.actor)) {
    const own = await getTenant(context, context.tenant.id)
    const isNamed = keys === null || keys.has(keyOf(own))
    const items = isNamed && hasWords(own, words) ? [own] : []
    return { items, next: null, total: items.length }
  }
  if (keys !== null) {
    const named = await tenantsOf(registry(context), [...keys])
    const rows = named.filter((tenant) => hasWords(tenant, words))
    return pageOf(rows.toSorted(byKey), { of: keyOf, accepts: isTenantId }, request)
  }
  if (words.length > 0) return searchTenants(context, words, request)
  return readTenantPage(registry(context), request, tenantPage)
}

const keyOf = ({ id }: Tenant) => foldTenantId(id)

function byKey(one: Tenant, other: Tenant): number {
  return keyOf(one) < keyOf(other) ? -1 : 1
}
