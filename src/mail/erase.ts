/** Removes the mails of an erased tenant from the folder of development. The database removes the rows. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../core/context.ts'
import { allMails } from './all-mails.ts'
import { mailIdsOf } from './sql.ts'
import { mailFolder } from './transport/folder.ts'

export async function eraseKeptMails(context: Context, tenantId: string): Promise<void> {
  const folder = mailFolder(context.shared.tenantDatabases.dataDir)
  const names = await readdir(folder).catch(noNamesIfMissing)
  if (names.length === 0) return
  const ids = new Set(await mailIdsOf(allMails(context).ofTenant(tenantId)))
  const filesOfTenant = names.filter((name) => ids.has(name.slice(0, idLength)))
  for (const name of filesOfTenant) await rm(join(folder, name), { force: true })
}

/** The name of a file begins with the UUID of its mail, which has this length. */
const idLength = 36

function noNamesIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}
