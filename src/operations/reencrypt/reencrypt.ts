/** Re-encrypts the shared database and those of the tenants, a few of them at a time. */
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, hostTenantId, type Tenant } from '../../core/context.ts'
import { rememberedColumns } from '../../core/encryption/column.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { SealedColumn } from '../../database/sealed-rows.ts'
import { listTenants } from '../../tenancy/tenant.ts'
import { type Resealed, resealDatabase } from './reencrypt-database.ts'

export interface ResealOptions {
  /** Counts and changes nothing. */
  dryRun: boolean
  /** Told of each database as soon as it is done. */
  report: (report: ResealReport) => void
}

export interface ResealReport {
  /** `null`: the shared database. */
  tenantId: string | null
  /** `null` when it failed. */
  resealed: Resealed | null
  /** Why it failed. */
  error: unknown
}

const databasesAtOnce = 4

/** One database that fails keeps no other one from being done. */
export async function resealAll(context: Context, { dryRun, report }: ResealOptions): Promise<void> {
  const columns = await rememberedColumns(context.catalogue)
  const { items } = await listTenants(context, { limit: null })
  const own = items.filter(({ hasOwnDatabase }) => hasOwnDatabase)
  let changed = 0
  const tell = (made: ResealReport): void => {
    changed += made.resealed?.done ?? 0
    report(made)
  }
  tell(await resealShared(context, columns, dryRun))
  const inTenants = columns.filter(({ database }) => database === 'tenant')
  const next = async (): Promise<void> => {
    for (let tenant = own.shift(); tenant !== undefined; tenant = own.shift()) {
      tell(await resealTenant(context, tenant, { columns: inTenants, dryRun }))
    }
  }
  await Promise.all(Array.from({ length: databasesAtOnce }, next))
  if (!dryRun && changed > 0) await recordReseal(context, changed)
}

async function resealShared(
  { shared }: Context,
  columns: readonly SealedColumn[],
  dryRun: boolean,
): Promise<ResealReport> {
  const { sealer, catalogueDatabase } = shared
  const resealed = await resealDatabase(catalogueDatabase, columns, { sealer, dryRun })
  return { tenantId: null, resealed, error: null }
}

async function resealTenant(
  { shared }: Context,
  tenant: Tenant,
  { columns, dryRun }: { columns: readonly SealedColumn[]; dryRun: boolean },
): Promise<ResealReport> {
  const tenantId = tenant.id
  try {
    const lease = await shared.tenantDatabases.lease(tenant)
    try {
      const resealed = await resealDatabase(lease.database, columns, { sealer: shared.sealer, dryRun })
      return { tenantId, resealed, error: null }
    } finally {
      lease.release()
    }
  } catch (error) {
    return { tenantId, resealed: null, error }
  }
}

async function recordReseal(context: Context, values: number): Promise<void> {
  const { keyId } = context.shared.sealer
  await inCatalogue(context, (inside) =>
    recordAudit(inside, {
      action: 'key.resealed',
      tenantId: hostTenantId,
      subjectType: 'key',
      subjectId: null,
      detail: { masterKey: keyId, values },
    }),
  )
}
