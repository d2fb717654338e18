/** The mails of all tenants, and those of the tenant from which a context sends. */
import type { Context } from '../core/context.ts'
import { installation } from '../core/installation.ts'
import type { CatalogueData, InstallationData } from '../database/data.ts'
import type { Executor } from '../database/executor.ts'

export function allMails(from: Context | Executor): InstallationData {
  return installation(from, 'one queue sends the mails of all tenants, and their budgets count together')
}

/** A mail belongs to the tenant of the context, even if its recipient is a user of another tenant. */
export function ownMails(context: Context): CatalogueData {
  return allMails(context).ofTenant(context.tenant.id)
}
