/** Backs up the embedded databases while they are served. The folder appears once it is complete. */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { SecretBox } from '../../core/encryption/secret-box.ts'
import { ServiceError } from '../../core/errors.ts'
import { version } from '../../core/version.ts'
import { CatalogueData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import { makePrivateFolder } from '../../database/private-file.ts'
import { copySqlite } from '../../database/sqlite/copy.ts'
import type { DatabaseTarget } from '../../database/target.ts'
import {
  findOwnDatabaseTarget,
  type OwnDatabaseReader,
  type OwnDatabaseTarget,
  ownDatabaseTargets,
} from '../../tenancy/own-database-targets.ts'
import { digestOf, syncToDisk } from './file.ts'
import {
  type BackedUpFile,
  type BackupManifest,
  catalogueFile,
  manifestFile,
  manifestText,
  tenantsFolder,
} from './manifest.ts'

export interface BackupSource {
  /** Where the catalogue is. */
  shared: DatabaseTarget
  /** Opens a catalogue for reading. */
  inspect: (catalogue: DatabaseTarget) => Promise<{ database: Database }>
  dataDir: string
  secretBox: SecretBox
}

export interface BackupOptions {
  /** There is no such folder yet, or it is empty. */
  to: string
  /** One tenant alone, by its id; `null` for everything. */
  tenantId?: string | null
  /** Called for each copied file. */
  report?: (file: BackedUpFile) => void
}

/**
 * A tenant's file that cannot be copied keeps no other one from being copied; the manifest says which and why.
 * @returns the manifest, and how many failed @throws ServiceError, DatabaseUnavailable, DamagedFile
 */
export async function backUp(
  source: BackupSource,
  { to, tenantId = null, report = () => undefined }: BackupOptions,
): Promise<{ manifest: BackupManifest; failures: number }> {
  refuseLostCatalogue(to)
  const draft = `${to}.incomplete-${randomBytes(4).toString('hex')}`
  makePrivateFolder(join(draft, tenantsFolder))
  try {
    const found = await new Draft(source, draft, report).fill(tenantId)
    await syncToDisk(join(draft, tenantsFolder))
    writeFileSync(join(draft, manifestFile), manifestText(found.manifest), { mode: 0o600, flush: true })
    await syncToDisk(draft)
    if (existsSync(to)) rmdirSync(to)
    renameSync(draft, to)
    await syncToDisk(dirname(to))
    return found
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
}

function refuseLostCatalogue(to: string): void {
  if (existsSync(to) && readdirSync(to).length > 0) throw new ServiceError('invalid', `${to} is not empty.`)
}

class Draft {
  readonly #source: BackupSource
  readonly #folder: string
  readonly #report: (file: BackedUpFile) => void
  /** By their names in the backup, as those that failed are. */
  readonly #files = new Map<string, BackedUpFile>()
  readonly #notIncluded: BackupManifest['notIncluded'] = []
  readonly #failed = new Map<string, string>()

  constructor(source: BackupSource, folder: string, report: (file: BackedUpFile) => void) {
    this.#source = source
    this.#folder = folder
    this.#report = report
  }

  async fill(tenantId: string | null): Promise<{ manifest: BackupManifest; failures: number }> {
    const startedAt = new Date().toISOString()
    const { shared, secretBox } = this.#source
    if (tenantId !== null) await this.#addOne(tenantId)
    else if (shared.kind === 'sqlite') {
      await this.#copy(shared.path, catalogueFile, [])
      // What the copy names, so that the two agree: a tenant that is made meanwhile is in neither.
      await this.#addAll({ kind: 'sqlite', path: join(this.#folder, catalogueFile) })
    } else {
      this.#notIncluded.push({ tenant: null, reason: 'the catalogue is on PostgreSQL' })
      await this.#addAll(shared)
    }
    const manifest: BackupManifest = {
      ...{ format: 1, version, startedAt, finishedAt: new Date().toISOString() },
      ...{ masterKey: secretBox.keyId, databases: [...this.#files.values()] },
      notIncluded: this.#notIncluded,
    }
    return { manifest, failures: this.#failed.size }
  }

  async #addAll(catalogue: DatabaseTarget): Promise<void> {
    const { database } = await this.#source.inspect(catalogue)
    try {
      for await (const own of ownDatabaseTargets(this.#reader(database))) await this.#add(own)
    } finally {
      await database.close()
    }
  }

  /** The one that is asked for has to be there. */
  async #addOne(tenantId: string): Promise<void> {
    const { database } = await this.#source.inspect(this.#source.shared)
    try {
      const own = await findOwnDatabaseTarget(this.#reader(database), tenantId)
      if (own === null)
        throw new ServiceError(
          'invalid',
          `There is no tenant ${tenantId} with a database of its own. One in the shared database is kept with tenant export.`,
        )
      await this.#add(own)
    } finally {
      await database.close()
    }
    const [omitted] = this.#notIncluded
    if (omitted !== undefined) throw new ServiceError('invalid', `Tenant ${tenantId}: ${omitted.reason}.`)
  }

  #reader(database: Database): OwnDatabaseReader {
    const { secretBox, dataDir } = this.#source
    return { catalogue: new CatalogueData(database.executor), secretBox, dataDir }
  }

  async #add({ tenantId, target, failure }: OwnDatabaseTarget): Promise<void> {
    const omit = (reason: string): void => void this.#notIncluded.push({ tenant: tenantId, reason })
    if (target === null) return omit(this.#fail(tenantId, failure))
    if (target.kind === 'postgres') return omit('its database is on PostgreSQL')
    const file = `${tenantsFolder}/${basename(target.path)}`
    const failed = this.#failed.get(file)
    if (failed !== undefined) return omit(failed)
    const known = this.#files.get(file)
    if (known !== undefined) known.tenants.push(tenantId)
    else if (!existsSync(target.path)) omit('its database is not there yet')
    else await this.#copy(target.path, file, [tenantId]).catch((error) => omit(this.#fail(file, error)))
  }

  /** @returns the reason @param what a file, or a tenant whose file is not known */
  #fail(what: string, error: unknown): string {
    const reason = `failed: ${error instanceof Error ? error.message : String(error)}`
    this.#failed.set(what, reason)
    return reason
  }

  async #copy(from: string, file: string, tenants: string[]): Promise<void> {
    const to = join(this.#folder, file)
    try {
      const contents = await copySqlite(from, to)
      await syncToDisk(to)
      const entry = { file, tenants, ...(await digestOf(to)), ...contents }
      this.#files.set(file, entry)
      this.#report(entry)
    } catch (error) {
      rmSync(to, { force: true })
      throw error
    }
  }
}
