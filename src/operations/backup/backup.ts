/** Backs up embedded databases and files of tenants while these are served. The folder appears when it is complete. */

import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { SecretBox } from '../../core/encryption/secret-box.ts'
import { ServiceError } from '../../core/errors.ts'
import { registry } from '../../core/tenant/directory.ts'
import type { Database } from '../../database/executor.ts'
import { namesOfApplied } from '../../database/migrate/history.ts'
import { databaseExists } from '../../database/open.ts'
import { makePrivateFolder } from '../../database/private-file.ts'
import type { Unlock } from '../../database/serving-lock.ts'
import { copySqlite } from '../../database/sqlite/copy.ts'
import type { DatabaseTarget } from '../../database/target.ts'
import { errorMessage } from '../../database/thrown.ts'
import { version } from '../../database/version.ts'
import { keepContents } from '../../files/store/content-lock.ts'
import {
  findOwnDatabaseTarget,
  type OwnDatabaseReader,
  type OwnDatabaseTarget,
  ownDatabaseTargets,
} from '../../tenancy/own-database-targets.ts'
import { findIdentity } from '../../tenancy/prepare.ts'
import { refuseForeignCatalogue, refuseLostTables } from '../lost-catalogue.ts'
import { type CatalogueKnowledge, readKnowledge } from './catalogue-knowledge.ts'
import { copyContents } from './copy-contents.ts'
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
  /** The database of the catalogue. */
  shared: DatabaseTarget
  /** Opens a catalogue for reading. */
  inspect: (catalogue: DatabaseTarget) => Promise<{ database: Database }>
  dataDir: string
  secretBox: SecretBox
  /** The folder of the contents of files; `null` if another store has them. */
  contents: string | null
}

export interface BackupOptions {
  /** The folder must not exist, or be empty. */
  to: string
  /** The id of the only tenant to back up; `null` for everything. */
  tenantId?: string | null
  /** Called for each copied file. */
  report?: (file: BackedUpFile) => void
}

export interface Backup {
  manifest: BackupManifest
  failures: number
  failedFiles: number
}

/** @param refused the files that a restore would refuse @returns what the backup lacks, as sentences */
export function faultsOfBackup({ failures, failedFiles }: Backup, refused: readonly string[]): string[] {
  return [
    ...(failures > 0 ? [`Not backed up: ${failures} of the databases.`] : []),
    ...(failedFiles > 0 ? [`Not backed up: ${failedFiles} of the files.`] : []),
    ...(refused.length > 0 ? [`A restore will refuse ${refused.join(', ')}.`] : []),
  ]
}

/**
 * A database or file that cannot be copied does not stop the rest. The manifest names its tenant, with the reason.
 * @returns the manifest, and the numbers of databases and of files that failed
 * @throws ServiceError, DatabaseUnavailable, DamagedFile
 */
export async function backUp(
  source: BackupSource,
  { to, tenantId = null, report = () => undefined }: BackupOptions,
): Promise<Backup> {
  refuseNonEmpty(to)
  const draft = `${to}.incomplete-${randomBytes(4).toString('hex')}`
  makePrivateFolder(join(draft, tenantsFolder))
  let release: Unlock | null = null
  try {
    // Contents are kept from before any row is copied: the service removes a content once its row is removed.
    if (source.contents !== null && existsSync(source.dataDir)) release = await keepContents(source.contents)
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
  } finally {
    release?.()
  }
}

function refuseNonEmpty(to: string): void {
  if (existsSync(to) && readdirSync(to).length > 0) throw new ServiceError('invalid', `${to} is not empty.`)
}

/** The folder of a backup that is not complete yet. */
class Draft {
  readonly #source: BackupSource
  readonly #folder: string
  readonly #report: (file: BackedUpFile) => void
  /** The files by their names in the backup. */
  readonly #files = new Map<string, BackedUpFile>()
  readonly #notIncluded: BackupManifest['notIncluded'] = []
  /** The reasons of failures by file, or by tenant if its file is unknown. */
  readonly #failed = new Map<string, string>()

  constructor(source: BackupSource, folder: string, report: (file: BackedUpFile) => void) {
    this.#source = source
    this.#folder = folder
    this.#report = report
  }

  async fill(tenantId: string | null): Promise<Backup> {
    const startedAt = new Date().toISOString()
    const { shared, secretBox } = this.#source
    if (tenantId !== null) await this.#addOne(tenantId)
    else if (shared.kind === 'sqlite') {
      await this.#copy(shared.path, catalogueFile, [])
      // Adds the tenants that the copy names, not the original, so that files and catalogue agree.
      await this.#addAll({ kind: 'sqlite', path: join(this.#folder, catalogueFile) })
    } else {
      this.#notIncluded.push({ tenant: null, reason: 'the catalogue is on PostgreSQL' })
      await this.#addAll(shared)
    }
    const { files, failedFiles } = await this.#copyContents()
    const manifest: BackupManifest = {
      format: 1,
      version,
      startedAt,
      finishedAt: new Date().toISOString(),
      masterKey: secretBox.keyId,
      databases: [...this.#files.values()],
      ...files,
      notIncluded: this.#notIncluded,
    }
    return { manifest, failures: this.#failed.size, failedFiles }
  }

  async #copyContents(): Promise<{ files: Pick<BackupManifest, 'files'>; failedFiles: number }> {
    const { contents: store, inspect } = this.#source
    if (store === null) {
      this.#notIncluded.push({ tenant: null, reason: 'files are in the store of FILES_URL' })
      return { files: {}, failedFiles: 0 }
    }
    const { contents, failures, omitted } = await copyContents({
      store,
      backup: this.#folder,
      databases: [...this.#files.values()],
      open: async (path) => (await inspect({ kind: 'sqlite', path })).database,
    })
    this.#notIncluded.push(...omitted)
    return { files: { files: contents }, failedFiles: failures }
  }

  async #addAll(catalogue: DatabaseTarget): Promise<void> {
    await using database = (await this.#source.inspect(catalogue)).database
    if (catalogue !== this.#source.shared) await this.#requireCatalogue(database)
    const knowledge = await readKnowledge(database)
    for await (const own of ownDatabaseTargets(this.#reader(database))) await this.#add(own, knowledge)
  }

  /**
   * Also adds the other tenants in the database of the tenant, whose rows are copied with it.
   * @throws ServiceError `invalid` if the tenant cannot be backed up
   */
  async #addOne(tenantId: string): Promise<void> {
    await using database = (await this.#source.inspect(this.#source.shared)).database
    const reader = this.#reader(database)
    const own = await findOwnDatabaseTarget(reader, tenantId)
    if (own === null)
      throw new ServiceError(
        'invalid',
        `There is no tenant ${tenantId} with a database of its own. Use tenant export for a tenant in the shared database.`,
      )
    const knowledge = await readKnowledge(database)
    await this.#add(own, knowledge)
    for await (const other of ownDatabaseTargets(reader))
      if (other.tenantId !== tenantId && isSameFile(other, own)) await this.#add(other, knowledge)
    const [omitted] = this.#notIncluded
    if (omitted !== undefined) throw new ServiceError('invalid', `Tenant ${tenantId}: ${omitted.reason}.`)
  }

  #reader(database: Database): OwnDatabaseReader {
    const { secretBox, dataDir } = this.#source
    return { catalogue: registry(database.executor), secretBox, dataDir }
  }

  /** @param database the copy of the catalogue */
  async #requireCatalogue(database: Database): Promise<void> {
    const { dataDir, shared } = this.#source
    const installation = { dataDir, sharedTarget: shared }
    await refuseLostTables(installation, database)
    await refuseForeignCatalogue(installation, database)
  }

  async #add({ tenantId, target, failure }: OwnDatabaseTarget, knowledge: CatalogueKnowledge): Promise<void> {
    const omit = (reason: string): void => void this.#notIncluded.push({ tenant: tenantId, reason })
    if (target === null) return omit(this.#fail(tenantId, failure))
    if (target.kind === 'postgres') return omit('its database is on PostgreSQL')
    const file = `${tenantsFolder}/${basename(target.path)}`
    const failed = this.#failed.get(file)
    if (failed !== undefined) return omit(failed)
    const known = this.#files.get(file)
    if (known !== undefined) known.tenants.push(tenantId)
    else if (!(await databaseExists(target)) && (await knowledge.isUncreated(tenantId)))
      omit('its database is not created yet')
    else
      await this.#copyKnown(target.path, file, { tenantId, knowledge }).catch((error) =>
        omit(this.#fail(file, error)),
      )
  }

  /** @param what a file, or a tenant whose file is unknown @returns the reason */
  #fail(what: string, error: unknown): string {
    const reason = `failed: ${errorMessage(error)}`
    this.#failed.set(what, reason)
    return reason
  }

  /** @throws DatabaseLost for a file that is missing, or is not the one of the tenant */
  async #copyKnown(
    from: string,
    file: string,
    { tenantId, knowledge }: { tenantId: string; knowledge: CatalogueKnowledge },
  ): Promise<void> {
    if (!(await databaseExists({ kind: 'sqlite', path: from }))) await knowledge.admit(tenantId, null)
    await this.#copy(from, file, [tenantId], async (to) => {
      const { database } = await this.#source.inspect({ kind: 'sqlite', path: to })
      const found = findIdentity(database, await namesOfApplied(database)).finally(() => database.close())
      await knowledge.admit(tenantId, await found)
    })
  }

  async #copy(
    from: string,
    file: string,
    tenants: string[],
    check: (to: string) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const to = join(this.#folder, file)
    try {
      const contents = await copySqlite(from, to)
      await check(to)
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

function isSameFile({ target: one }: OwnDatabaseTarget, { target: other }: OwnDatabaseTarget): boolean {
  return one?.kind === 'sqlite' && other?.kind === 'sqlite' && one.path === other.path
}
