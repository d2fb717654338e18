/** The tenants whose users a caller may manage: its own, and all tenants for an administrator of the host. */
import { isHostAdmin } from '../../core/actor.ts'
import type { Context } from '../../core/context.ts'
import { reaching } from '../../core/create-context.ts'
import { invalidField, ServiceError } from '../../core/errors.ts'
import { installation } from '../../core/installation.ts'
import { lookUpTenant } from '../../core/tenant/directory.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import type { InstallationData } from '../../database/data.ts'
import { findTenantOfAccount } from './sql.ts'

/**
 * @returns a context for the tenant
 * @throws ServiceError `forbidden` for another tenant if the actor is no administrator of the host,
 *   `invalid` for an unknown tenant
 */
export async function reachTenant(context: Context, wanted: string | undefined): Promise<Context> {
  if (wanted === undefined || foldTenantId(wanted) === foldTenantId(context.tenant.id)) return context
  if (!isHostAdmin(context.actor)) throw new ServiceError('forbidden')
  const tenant = await lookUpTenant(context, wanted)
  if (tenant === null || tenant.isBeingErased) throw invalidField('tenantId', 'names no tenant', 'notFound')
  return reaching(context, everyone(context), tenant.id)
}

/** @returns a context for the tenant of the user if the actor is an administrator of the host; otherwise `context` */
export async function reachUser(context: Context, id: string): Promise<Context> {
  if (!isHostAdmin(context.actor)) return context
  const tenantId = await findTenantOfAccount(everyone(context), id)
  return tenantId === null ? context : reaching(context, everyone(context), tenantId)
}

export function everyone(context: Context): InstallationData {
  return installation(context, 'administrators of the host manage the users of every tenant')
}
