/** Copies the contents of the files that the databases of a backup name into that backup. */

import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { registry } from '../../core/tenant/directory.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import { TenantData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import { makePrivateFolder } from '../../database/private-file.ts'
import { errorMessage } from '../../database/thrown.ts'
import { allFiles } from '../../files/all-files.ts'
import type { StoredFile } from '../../files/schema.ts'
import { pathOfContent } from '../../files/store/local-store.ts'
import { sharedTenants } from '../../tenancy/own-database-targets.ts'
import { ContentListWriter, contentFolder, pathInBackup } from './content-list.ts'
import { copyFile, syncToDisk } from './file.ts'
import { type BackedUpContents, type BackedUpFile, catalogueFile } from './manifest.ts'

export interface ContentCopyRequest {
  /** The folder of the store, from which no content is removed during the copy. */
  store: string
  /** The folder of the backup, with its databases. */
  backup: string
  databases: readonly BackedUpFile[]
  open: (path: string) => Promise<Database>
}

export interface ContentCopy {
  contents: BackedUpContents
  /** The number of contents that could not be copied. */
  failures: number
  /** The tenants of these contents. */
  omitted: { tenant: string; reason: string }[]
}

/** A content that is missing or damaged does not stop the others. @throws errors of the file system */
export async function copyContents(request: ContentCopyRequest): Promise<ContentCopy> {
  const copy: Omit<ContentCopy, 'contents'> = { failures: 0, omitted: [] }
  const list = await ContentListWriter.create(request.backup)
  try {
    for (const { tenantId, path } of await tenantsWithFiles(request)) {
      await using database = await request.open(path)
      const failed = await copyTenant(request, { tenantId, database, list })
      const [first] = failed
      if (first === undefined) continue
      copy.failures += failed.length
      copy.omitted.push({ tenant: tenantId, reason: `failed: ${failed.length} of its files, first ${first}` })
    }
    return { ...copy, contents: await list.finish() }
  } finally {
    await list.close()
  }
}

interface TenantRows {
  tenantId: string
  /** The copied database with the rows of the tenant. */
  path: string
}

/** @returns each tenant once, with the database that it uses: a move may have left its rows in another one, too */
async function tenantsWithFiles({ backup, databases, open }: ContentCopyRequest): Promise<TenantRows[]> {
  const found: TenantRows[] = []
  for (const { file, tenants, rows } of databases) {
    if ((rows['file'] ?? 0) === 0) continue
    const path = join(backup, file)
    for (const tenantId of tenants) found.push({ tenantId, path })
    if (file !== catalogueFile) continue
    await using database = await open(path)
    for await (const tenantId of sharedTenants(registry(database.executor))) found.push({ tenantId, path })
  }
  const byFolder = new Map(found.map((tenant) => [foldTenantId(tenant.tenantId), tenant]))
  return [...byFolder].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, tenant]) => tenant)
}

interface TenantCopy {
  tenantId: string
  database: Database
  list: ContentListWriter
}

/** @returns the reasons why contents could not be copied */
async function copyTenant(
  { store, backup }: ContentCopyRequest,
  { tenantId, database, list }: TenantCopy,
): Promise<string[]> {
  const tenant = foldTenantId(tenantId)
  const failed: string[] = []
  let folder: string | null = null
  for await (const file of allFiles(new TenantData(tenantId, database.executor))) {
    const { id, sha256, size } = file
    const to = join(backup, pathInBackup({ tenant, id }))
    if (folder === null) makePrivateFolder(dirname(to))
    folder = dirname(to)
    const reason = await copyContent(pathOfContent(store, { tenantId, id }), to, file)
    if (reason === null) await list.add({ tenant, id, sha256 }, size)
    else failed.push(reason)
  }
  if (folder !== null) for (const each of [folder, join(backup, contentFolder)]) await syncToDisk(each)
  return failed
}

/** @returns `null`, or the reason why the content is not in the backup */
async function copyContent(from: string, to: string, { id, sha256 }: StoredFile): Promise<string | null> {
  try {
    if ((await copyFile(from, to)).sha256 === sha256) return null
    rmSync(to)
    return `${id}: its content is damaged`
  } catch (error) {
    rmSync(to, { force: true })
    return `${id}: ${errorMessage(error)}`
  }
}
