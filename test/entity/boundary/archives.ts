/** Archives of a tenant in which a value was changed, with the digests that fit. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteExclusively } from '../../../src/database/sqlite/exclusive-database.ts'
import { exportTenant } from '../../../src/operations/archive/export.ts'
import { importTenant } from '../../../src/operations/archive/import.ts'
import { archivedShapes } from '../../../src/operations/archive/table.ts'
import { digestTables } from '../../../src/operations/rows/compare.ts'
import { rewriteManifest } from '../../operations/archive/rewrite-manifest.ts'
import { type TestService, uniqueName } from '../../support/service.ts'

export class Archives {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tenantry-boundary-'))

  async export({ service }: TestService, tenantId: string): Promise<string> {
    const to = join(this.#folder, `${uniqueName('archive')}.db`)
    await exportTenant(await service.operator(), tenantId, { to })
    return to
  }

  /** @returns `taken`, or why the archive is refused */
  async import({ service, dataDir }: TestService, from: string): Promise<string> {
    try {
      await importTenant(await service.operator(), { from, to: null, folder: dataDir })
      return 'taken'
    } catch (error) {
      return String(error)
    }
  }

  /** A copy in which a column of one holder has another value. */
  async change(
    { service }: TestService,
    archive: string,
    { tenantId, rowId, column, value }: { tenantId: string; rowId: string; column: string; value: string },
  ): Promise<string> {
    const path = join(this.#folder, `${uniqueName('changed')}.db`)
    copyFileSync(archive, path)
    const file = new DatabaseSync(path, { enableForeignKeyConstraints: false })
    file.prepare(`UPDATE holder SET "${column}" = ? WHERE id = ?`).run(value, rowId)
    file.close()
    const opened = openSqliteExclusively(path)
    const { migrations } = (await service.operator()).shared
    const { all } = await archivedShapes(opened.executor, migrations)
    const tables = await digestTables(opened.executor, all, { tenant: tenantId, ignored: new Set() })
    await opened.close()
    rewriteManifest(path, (manifest) => ({ ...manifest, tables }))
    return path
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true })
  }
}
