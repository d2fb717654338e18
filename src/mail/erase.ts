/** Removes the mails of an erased tenant from the folder of development. The database removes the rows. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../core/context.ts'
import { allMails } from './all-mails.ts'
import { mailIdsOf } from './sql.ts'
import { mailFolder } from './transport/folder.ts'

export async function eraseKeptMails(context: Context, tenantId: string): Promise<void> {
  const folder = mailFolder(context.shared.tenantDatabases.dataDir)
  const names = await readdir(folder).catch(namesOfNone)
  if (names.length === 0) return
  const ids = new Set(await mailIdsOf(allMails(context).ofTenant(tenantId)))
  const kept = names.filter((name) => ids.has(name.slice(0, idLength)))
  for (const name of kept) await rm(join(folder, name), { force: true })
}

/** The length of a UUID, with which the name of a file begins. */
const idLength = 36

function namesOfNone(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}
