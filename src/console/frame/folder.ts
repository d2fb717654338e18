/** The files of a folder that the service sends. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ApplicationError } from '../../core/feature/application-error.ts'

/** More are a mistake, such as a whole project. */
const maxFiles = 1000

/**
 * Only what is listed here is sent: no path of a request reaches the file system. Symbolic links are left out, because
 * they may lead out of the folder, and so is what begins with a dot.
 * @param where the folder is named, for an error
 * @returns the files by their paths below the folder
 * @throws ApplicationError
 */
export function filesIn(where: string, folder: string): Map<string, URL> {
  const root = resolve(folder)
  if (!existsSync(root)) throw new ApplicationError(`${where}: there is no folder ${root}.`)
  if (!statSync(root).isDirectory()) throw new ApplicationError(`${where}: ${root} is not a folder.`)
  const files = pathsIn(root, '')
  if (!files.includes('index.html')) throw new ApplicationError(`${where}: ${root} has no file index.html.`)
  if (files.length > maxFiles)
    throw new ApplicationError(`${where}: ${root} has more than ${maxFiles} files. Name a smaller folder.`)
  return new Map(files.map((path) => [path, pathToFileURL(join(root, path))]))
}

/** Lists files below a folder. The recursion of Node.js is not used, because it follows links to folders. */
function pathsIn(root: string, below: string): string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((entry) => {
    const path = `${below}${entry.name}`
    if (entry.name.startsWith('.')) return []
    if (entry.isDirectory()) return pathsIn(root, `${path}/`)
    return entry.isFile() ? [path] : []
  })
}
