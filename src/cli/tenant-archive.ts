/** The commands `tenantry tenant export` and `tenantry tenant import`. */
import { resolve } from 'node:path'
import { exportTenant } from '../operations/archive/export.ts'
import { abandonImport, type ImportPhase, importTenant } from '../operations/archive/import.ts'
import type { ArchivedTable } from '../operations/archive/manifest.ts'
import { phasePrinter, print, type Run } from './command.ts'
import { megabytes, readConnectionString } from './terminal.ts'
import { withOperator } from './with-operator.ts'

const shared = 'shared'

const phaseTexts: Record<ImportPhase, string | null> = {
  verified: 'The archive is verified.',
  copying: 'Copying.',
  copied: 'The copy is complete and verified.',
  registered: null,
}

export const exportToFile: Run = (config, { argument, options }, service, { folder, output }) => {
  const to = resolve(folder, options['to'] ?? '')
  return withOperator(config, service, async ({ context }) => {
    const { tenantId, tables, bytes, sha256 } = await exportTenant(context, argument, { to })
    print(output, `Tenant ${tenantId} is in ${to}: ${summary(tables)}, ${megabytes(bytes)}.`)
    print(output, `SHA-256 ${sha256}`)
  })
}

export const importFromFile: Run = async (config, given, service, surroundings) => {
  const { folder, output } = surroundings
  const { subdomain } = given.options
  const text = await readConnectionString(given.options['to'] ?? shared, surroundings)
  const to = text === shared ? null : text
  const source = { from: resolve(folder, given.argument), to, folder: config.dataDir }
  return withOperator(config, service, async ({ context }) => {
    if (given.flags.has('abandon')) {
      const { tenant } = await abandonImport(context, source)
      return print(output, `The import of ${tenant.id} is abandoned.`)
    }
    const { tenant, tables } = await importTenant(context, {
      ...source,
      reserved: config.reservedSubdomains,
      replace: given.flags.has('replace'),
      ...(subdomain !== undefined && { subdomain: subdomain || null }),
      reached: phasePrinter(output, phaseTexts),
    })
    print(output, `Tenant ${tenant.id} is imported: ${summary(tables)}.`)
    if (!tenant.isActive) print(output, 'The tenant is inactive, as it was when it was exported.')
  })
}

function summary(tables: readonly ArchivedTable[]): string {
  const filled = tables.filter(({ rows }) => rows > 0)
  return `${filled.reduce((sum, { rows }) => sum + rows, 0)} rows of ${filled.length} tables`
}
