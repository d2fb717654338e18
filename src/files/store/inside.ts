import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'

/**
 * Checks that a path is below the folder after symbolic links are followed.
 * @param path of a file or folder that exists
 * @throws Error for a path that leads out of the folder
 */
export async function requireInside(folder: string, path: string): Promise<void> {
  const [root, found] = await Promise.all([realpath(folder), realpath(path)])
  if (!found.startsWith(`${root}${sep}`)) throw new Error(`${path} leads out of ${folder}.`)
}
