/** Two installations with master keys of their own, and the move of a tenant between them. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ExportOptions, exportTenant } from '../../../src/operations/archive/export.ts'
import { type ImportOptions, importTenant } from '../../../src/operations/archive/import.ts'
import type { ServiceOptions } from '../../../src/service/service-options.ts'
import { futureDatabase } from '../../support/database/future-database.ts'
import type { DatabaseName } from '../../support/databases.ts'
import { sharedService, startService, type TestService, uniqueName } from '../../support/service.ts'
import { newVictim } from '../../support/victim.ts'

/** Where a tenant's rows are: in the shared database, or in one of its own of either kind. */
export type Place = 'shared' | DatabaseName

export class ArchiveScene implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'tenantry-archive-'))
  readonly #tidy = new AsyncDisposableStack()

  /** @param opens also decrypts with the master key of another installation */
  async installation(
    database: DatabaseName,
    opens: TestService | null = null,
    options: ServiceOptions = {},
  ): Promise<TestService> {
    const key = opens && Buffer.from(opens.config.masterKey).toString('base64')
    const service = await startService(database, key === null ? {} : { PREVIOUS_MASTER_KEYS: key }, options)
    this.#tidy.defer(() => service.stop())
    return service
  }

  /** With what other tests leave. */
  async sharedInstallation(database: DatabaseName): Promise<TestService> {
    const service = await sharedService(database)
    this.#tidy.defer(() => service.stop())
    return service
  }

  /** A full tenant in the archive of one installation, and another installation without pending work. */
  async passage(database: DatabaseName) {
    const source = await this.sharedInstallation('sqlite')
    const target = await this.installation(database, source)
    const tenant = await newVictim(source)
    const archive = await this.export(source, tenant.id)
    await target.service.queueWorkers.stop()
    return { source, target, tenant, archive }
  }

  /** @returns `null` for the shared database */
  async connection(place: Place): Promise<string | null> {
    if (place === 'shared') return null
    if (place === 'sqlite') return `sqlite:${uniqueName('own')}.db`
    const { url, drop } = await futureDatabase()
    this.#tidy.defer(drop)
    return url
  }

  path(name = `${uniqueName('archive')}.db`): string {
    return join(this.folder, name)
  }

  /** @returns the archive */
  async export(from: TestService, id: string, options: Partial<ExportOptions> = {}): Promise<string> {
    const to = options.to ?? this.path()
    await exportTenant(await from.service.operator(), id, { ...options, to })
    return to
  }

  async import(to: TestService, archive: string, options: Partial<ImportOptions> = {}): Promise<void> {
    const given = { from: archive, to: null, folder: to.config.dataDir, ...options }
    await importTenant(await to.service.operator(), given)
  }

  /** Ended in the reverse order. */
  defer(end: () => Promise<void>): void {
    this.#tidy.defer(end)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tidy.disposeAsync()
    if (existsSync(this.folder)) rmSync(this.folder, { recursive: true })
  }
}
