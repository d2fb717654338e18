/** Which store an instance keeps contents of files in: several instances need the same one. */
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../core/settings/config.ts'
import { makePrivateFolder } from '../../database/private-file.ts'
import { storeFolder } from '../create-files.ts'

/** Begins with a dot, as no tenant does. */
const markName = '.store'

/** @returns a text that is equal for instances with the same store; `null` for a folder that cannot be written */
export async function storeIdentity(config: Pick<Config, 'dataDir' | 'filesUrl'>): Promise<string | null> {
  if (config.filesUrl !== null) return config.filesUrl.href
  try {
    return `local:${await markOf(storeFolder(config))}`
  } catch {
    return null // uploads report what is wrong with it
  }
}

/** A folder that several machines have mounted has one mark; folders of the same path on two machines have two. */
async function markOf(folder: string): Promise<string> {
  const file = join(folder, markName)
  makePrivateFolder(folder)
  await writeFile(file, randomUUID(), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return readFile(file, 'utf8')
}
