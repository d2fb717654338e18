/** What the package exports, a line for each name and each member. */
import { posix } from 'node:path'
import type { ClassElement } from 'oxc-parser'
import { readSource as parseSource, type Source } from '../support/source.ts'
import type { ContractLine } from './contract-line.ts'

/** The entries of the package, from the root of the project. */
const entries = { tenantry: 'src/index.ts', 'tenantry/testing': 'src/testing.ts' }

export function typesContract(): ContractLine[] {
  return Object.entries(entries).flatMap(([entry, path]) => {
    const source = readSource(path)
    return exportsOf(source).flatMap(({ name, exported, from }) => {
      const target = posix.join(posix.dirname(path), from)
      const own = declarationOf(readSource(target), name, exportsOf(source))
      const declaration = [...own, ...mergedInto(source, target, name)]
      return declaration.map(
        (text): ContractLine => ({ kind: 'promise', text: `${entry}: ${exported}${text}` }),
      )
    })
  })
}

/** @returns a line for each member that files which the entry imports for their effect add to an interface */
function mergedInto(entry: Source, target: string, name: string): string[] {
  const lines: string[] = []
  for (const path of importedForEffect(entry)) {
    const source = readSource(path)
    let isOfTarget = false
    source.visit({
      TSModuleDeclaration: ({ id }) => {
        isOfTarget = id.type === 'Literal' && posix.join(posix.dirname(path), id.value) === target
      },
      TSInterfaceDeclaration: ({ id, body }) => {
        if (!isOfTarget || textOf(source, id) !== name) return
        lines.push(...body.body.map((member) => `.${withoutComments(source, member)}`))
      },
      'TSModuleDeclaration:exit': () => {
        isOfTarget = false
      },
    })
  }
  return lines
}

function importedForEffect(entry: Source): string[] {
  const found: string[] = []
  entry.visit({
    ImportDeclaration: ({ source: from, specifiers }) => {
      if (specifiers.length === 0) found.push(posix.join(posix.dirname(entry.path), from.value))
    },
  })
  return found
}

/** Many exports are of one file. */
function readSource(path: string): Source {
  const source = parsed.get(path) ?? parseSource(path)
  parsed.set(path, source)
  return source
}

const parsed = new Map<string, Source>()

interface Exported {
  name: string
  exported: string
  from: string
}

/** An entry only exports what other files export. */
function exportsOf(source: Source): Exported[] {
  const found: Exported[] = []
  source.visit({
    ExportNamedDeclaration: ({ source: from, specifiers }) => {
      if (from === null) return
      for (const { local, exported } of specifiers)
        found.push({ name: textOf(source, local), exported: textOf(source, exported), from: from.value })
    },
  })
  return found
}

interface Node {
  start: number
  end: number
}

/**
 * @param others what the entry exports: of an interface that extends another one, the members of that are its own
 * @returns a line for what the name is, and one for each member that others can reach
 */
function declarationOf(source: Source, name: string, others: readonly Exported[]): string[] {
  const lines: string[] = []
  const isNamed = (id: Node | null) => id !== null && textOf(source, id) === name
  const text = (node: Node) => withoutComments(source, node)
  source.visit({
    TSInterfaceDeclaration: ({ id, body, extends: bases }) => {
      if (!isNamed(id)) return
      const hidden = bases.map(text).filter((base) => isHidden(base, source, others))
      const shown = bases.map(text).filter((base) => !hidden.includes(base))
      lines.push(shown.length === 0 ? '' : ` extends ${shown.join(', ')}`)
      const members = hidden.flatMap((base) => declarationOf(fileOf(base, source), base, others).slice(1))
      lines.push(...members, ...body.body.map((member) => `.${text(member)}`))
    },
    TSTypeAliasDeclaration: ({ id, typeAnnotation }) => {
      if (isNamed(id)) lines.push(` = ${text(typeAnnotation)}`)
    },
    FunctionDeclaration: (declared) => {
      if (isNamed(declared.id) && declared.body !== null)
        lines.push(text({ start: declared.id?.end ?? 0, end: declared.body.start }))
    },
    VariableDeclarator: ({ id }) => {
      if (id.type === 'Identifier' && source.text.slice(id.start, id.start + name.length) === name)
        lines.push(text({ start: id.start + name.length, end: id.end }))
    },
    ClassDeclaration: ({ id, body }) => {
      if (!isNamed(id)) return
      lines.push('')
      lines.push(...body.body.flatMap((member) => publicMember(member)).map((member) => `.${text(member)}`))
    },
  })
  if (lines.length === 0) throw new Error(`${source.path} declares no ${name}.`)
  return lines
}

/** Whether it is of another file of the project, and nobody can name it from outside. */
function isHidden(base: string, source: Source, others: readonly Exported[]): boolean {
  return fileOf(base, source) !== source && !others.some(({ exported }) => exported === base)
}

/** @returns the file that declares the name, for a file that may import it */
function fileOf(name: string, source: Source): Source {
  let from: string | null = null
  source.visit({
    ImportDeclaration: ({ source: file, specifiers }) => {
      if (specifiers.some(({ local }) => local.name === name)) from = file.value
    },
  })
  return from === null ? source : readSource(posix.join(posix.dirname(source.path), from))
}

/** @returns its signature, up to a body or a value; nothing for what only the class reaches */
function publicMember(member: ClassElement): Node[] {
  if (member.type !== 'MethodDefinition' && member.type !== 'PropertyDefinition') return []
  if (member.key.type === 'PrivateIdentifier') return []
  const { start, end } = member
  if ('typeAnnotation' in member)
    return [{ start, end: member.typeAnnotation?.end ?? member.value?.start ?? end }]
  const { body } = member.value as { body: Node | null }
  return [{ start, end: body?.start ?? end }]
}

function textOf({ text }: Source, { start, end }: Node): string {
  return text.slice(start, end)
}

function withoutComments(source: Source, { start, end }: Node): string {
  let text = ''
  let place = start
  for (const comment of source.comments) {
    if (comment.start < place || comment.end > end) continue
    text += source.text.slice(place, comment.start)
    place = comment.end
  }
  return `${text}${source.text.slice(place, end)}`.replaceAll(/\s+/g, ' ').trim()
}
