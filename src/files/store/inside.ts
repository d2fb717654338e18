import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'

/** Follows symbolic links. @param path of a file or folder that exists @throws Error for one that is not below the folder */
export async function requireInside(folder: string, path: string): Promise<void> {
  const [root, found] = await Promise.all([realpath(folder), realpath(path)])
  if (!found.startsWith(`${root}${sep}`)) throw new Error(`${path} leads out of ${folder}.`)
}
