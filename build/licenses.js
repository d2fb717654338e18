import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What the licences of bundled libraries ask for: their text goes along.
 * @param {import('rolldown').RolldownOutput['output']} output
 * @param {string[]} others whose work is in the sources
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
