/** The figures in `docs/scaling.md`, each part between marks of its name. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const project = resolve(import.meta.dirname, '../..')
const document = join(project, 'docs/scaling.md')

export function commitHere(): string {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: project, encoding: 'utf8' }).trim()
}

/** @throws Error unless the document has the marks */
export function writeFigures(name: string, made: string): void {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const text = readFileSync(document, 'utf8')
  const [before, after] = [text.split(begin)[0], text.split(end)[1]]
  if (before === undefined || after === undefined) throw new Error(`${document} has no ${begin} and ${end}.`)
  writeFileSync(document, `${before}${begin}\n${made}\n${end}${after}`)
}
