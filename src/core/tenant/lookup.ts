/** Tenants as other features need them. */

import type { CatalogueData } from '../../database/data.ts'
import { type Context, hostTenantId, type Tenant } from '../context.ts'
import { foldTenantId } from './directory.ts'
import { findTenant, lockTenant } from './sql.ts'

/** @returns `null` where there is none of that id, in any case of letters */
export async function lookUpTenant(context: Context, id: string): Promise<Tenant | null> {
  const storable = id.isWellFormed() && !id.includes('\0')
  return storable ? findTenant(context.catalogue, foldTenantId(id)) : null
}

/** Inside a transaction: holds the host tenant, so that rules about the whole service are judged one at a time. */
export async function lockHost(catalogue: CatalogueData): Promise<void> {
  await lockTenant(catalogue, hostTenantId)
}

/** As it is in the catalogue, whatever is remembered. */
export function currentTenant(catalogue: CatalogueData, id: string): Promise<Tenant | null> {
  return findTenant(catalogue, foldTenantId(id))
}

/** Inside a transaction: whether the tenant is as it was, which it stays until the transaction ends. */
export async function isUnchanged(catalogue: CatalogueData, before: Tenant): Promise<boolean> {
  return (await lockTenant(catalogue, foldTenantId(before.id)))?.version === before.version
}
