/** Re-encrypts the secrets in the shared database and in the tenants' own databases, a few databases at a time. */
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, hostTenantId, type Tenant } from '../../core/context.ts'
import { recordedEncryptedColumns } from '../../core/encryption/prepare.ts'
import { withTenantDatabase } from '../../core/tenant/with-database.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { EncryptedColumn } from '../../database/encrypted-rows.ts'
import { listTenants } from '../../tenancy/list.ts'
import { type Reencrypted, reencryptDatabase } from './reencrypt-database.ts'

export interface ReencryptOptions {
  /** Counts, and changes nothing. */
  dryRun: boolean
  /** Called for each database when it is done. */
  report: (report: ReencryptReport) => void
}

export interface ReencryptReport {
  /** `null`: the shared database. */
  tenantId: string | null
  /** `null` when it failed. */
  reencrypted: Reencrypted | null
  /** Why it failed. */
  error: unknown
}

const maxConcurrentDatabases = 4

/** A database that fails does not stop the others. */
export async function reencryptAll(context: Context, { dryRun, report }: ReencryptOptions): Promise<void> {
  const columns = await recordedEncryptedColumns(context)
  const { items } = await listTenants(context, { limit: null })
  const own = items.filter(({ hasOwnDatabase }) => hasOwnDatabase)
  let changed = 0
  const finished = (outcome: ReencryptReport): void => {
    changed += outcome.reencrypted?.done ?? 0
    report(outcome)
  }
  finished(await reencryptShared(context, columns, dryRun))
  const inTenants = columns.filter(({ database }) => database === 'tenant')
  const next = async (): Promise<void> => {
    for (let tenant = own.shift(); tenant !== undefined; tenant = own.shift()) {
      finished(await reencryptTenant(context, tenant, { columns: inTenants, dryRun }))
    }
  }
  await Promise.all(Array.from({ length: maxConcurrentDatabases }, next))
  if (!dryRun && changed > 0) await recordReencryption(context, changed)
}

async function reencryptShared(
  { shared }: Context,
  columns: readonly EncryptedColumn[],
  dryRun: boolean,
): Promise<ReencryptReport> {
  const { secretBox, catalogueDatabase } = shared
  const reencrypted = await reencryptDatabase(catalogueDatabase, columns, { secretBox, dryRun })
  return { tenantId: null, reencrypted, error: null }
}

async function reencryptTenant(
  { shared }: Context,
  tenant: Tenant,
  { columns, dryRun }: { columns: readonly EncryptedColumn[]; dryRun: boolean },
): Promise<ReencryptReport> {
  const tenantId = tenant.id
  try {
    const reencrypted = await withTenantDatabase(shared, tenant, (database) =>
      reencryptDatabase(database, columns, { secretBox: shared.secretBox, dryRun }),
    )
    return { tenantId, reencrypted, error: null }
  } catch (error) {
    return { tenantId, reencrypted: null, error }
  }
}

async function recordReencryption(context: Context, values: number): Promise<void> {
  const { keyId } = context.shared.secretBox
  await inCatalogue(context, (inside) =>
    recordAudit(inside, {
      action: 'key.reencrypted',
      tenantId: hostTenantId,
      subjectType: 'key',
      subjectId: null,
      detail: { masterKey: keyId, values },
    }),
  )
}
