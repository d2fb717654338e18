/** Verifies the contents of tenants' files in a backup, and copies them into the folder of the store. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ServiceError } from '../../core/errors.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import { makePrivateFolder } from '../../database/private-file.ts'
import { pathOfContent } from '../../files/store/local-store.ts'
import { contentList, pathInBackup, readContentList, verifyContentList } from './content-list.ts'
import { copyFile, digestOf, syncToDisk } from './file.ts'
import { type BackedUpContents, type BackupManifest, isWhole } from './manifest.ts'

/** @throws ServiceError `invalid` for contents that are missing or damaged, or whose tenant is not in the backup */
export async function verifyContents(from: string, manifest: BackupManifest): Promise<void> {
  if (manifest.files === undefined) return
  await verifyContentList(from, manifest.files)
  const owners = new Set(manifest.databases.flatMap(({ tenants }) => tenants.map(foldTenantId)))
  let count = 0
  for await (const content of readContentList(from, manifest.files)) {
    if (!isWhole(manifest) && !owners.has(content.tenant))
      throw new ServiceError(
        'invalid',
        `${join(from, contentList)} names a tenant that is not in the backup.`,
      )
    const path = join(from, pathInBackup(content))
    if (!existsSync(path)) throw new ServiceError('invalid', `The backup is incomplete: ${path} is missing.`)
    if ((await digestOf(path)).sha256 !== content.sha256)
      throw new ServiceError('invalid', `The backup is damaged: ${path} does not match its digest.`)
    count++
  }
  if (count !== manifest.files.count)
    throw new ServiceError('invalid', `${join(from, contentList)} is damaged, or of another version.`)
}

/**
 * @param store the folder of the store, without contents of the restored tenants
 * @param except case-folded ids of tenants whose contents are not restored @throws ServiceError `invalid`
 */
export async function restoreContents(
  from: string,
  store: string,
  { files, except }: { files: BackedUpContents; except: ReadonlySet<string> },
): Promise<void> {
  const changed = new Set<string>()
  for await (const content of readContentList(from, files)) {
    if (except.has(content.tenant)) continue
    const path = join(from, pathInBackup(content))
    const to = pathOfContent(store, { tenantId: content.tenant, id: content.id })
    makePrivateFolder(dirname(to))
    if ((await copyFile(path, to)).sha256 !== content.sha256)
      throw new ServiceError('invalid', `${path} has changed meanwhile.`)
    changed.add(dirname(to))
  }
  if (changed.size > 0) for (const folder of [...changed, store, dirname(store)]) await syncToDisk(folder)
}
