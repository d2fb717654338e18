/** Identifies the store of an instance, to find out whether several instances have the same one. */
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../core/settings/config.ts'
import { makePrivateFolder } from '../../database/private-file.ts'
import { storeFolder } from '../create-files.ts'

/** The file with the mark. No id of a tenant begins with a dot. */
const markName = '.store'

/** @returns a text that is equal for instances with the same store; `null` for a folder that cannot be written */
export async function storeIdentity(config: Pick<Config, 'dataDir' | 'filesUrl'>): Promise<string | null> {
  if (config.filesUrl !== null) return config.filesUrl.href
  try {
    return `local:${await markOf(storeFolder(config))}`
  } catch {
    return null // uploads report the error
  }
}

/** Reads the mark of the folder, or writes one. Machines that have mounted the same folder find the same mark. */
async function markOf(folder: string): Promise<string> {
  const file = join(folder, markName)
  makePrivateFolder(folder)
  await writeFile(file, randomUUID(), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return readFile(file, 'utf8')
}
