import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { contentsOf } from './folder-contents.ts'
import { project } from './workplace.ts'

/** @returns a folder with the sources, in which a test may change them */
export function copyOfProject(folder: string): string {
  const copy = join(folder, 'project')
  for (const name of ['src', 'assets', 'package.json'])
    cpSync(join(project, name), join(copy, name), { recursive: true })
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** The sources of the copy that are not as in the project, by their paths in `src`. */
export function changedSources(copy: string): string[] {
  const [original, changed] = [join(project, 'src'), join(copy, 'src')].map(contentsOf)
  const differing = [...(changed ?? [])].filter(([path, digest]) => original?.get(path) !== digest)
  return differing.map(([path]) => path)
}
