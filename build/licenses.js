import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Collects the licence texts of bundled libraries, which have to be distributed with them.
 * @param {import('rolldown').RolldownOutput['output']} output
 * @param {string[]} others packages whose work was copied into the sources
 * @returns {string} the texts, for a file
 */
export function licensesOf(output, others = []) {
  const modules = output.flatMap((file) => ('moduleIds' in file ? file.moduleIds : []))
  const packages = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []))
  for (const name of others) packages.add(join(import.meta.dirname, '../node_modules', name))
  const texts = [...packages].toSorted().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
    const [file] = globSync('{licen[cs]e,LICEN[CS]E,Licen[cs]e}*', { cwd: path })
    return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(join(path, file), 'utf8')}`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}
