/** The source of the project, parsed, for the house rules. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, posix, resolve } from 'node:path'
import { type Comment, type ParseResult, parseSync, Visitor, type VisitorObject } from 'oxc-parser'

export const root = resolve(import.meta.dirname, '../..')

export interface Import {
  /** A path of the project, `src/catalog/product/sql.ts`, or the name of a package, `kysely`. */
  target: string
  typeOnly: boolean
  line: number
}

export interface Source {
  /** From the root of the project, e.g. `src/catalog/product/rest.ts`. */
  path: string
  text: string
  comments: Comment[]
  imports: Import[]
  lineAt(offset: number): number
  visit(visitor: VisitorObject): void
}

export function parse(path: string, text: string): Source {
  const parsed = parseSync(path, text)
  const fault = parsed.errors[0]
  if (fault !== undefined) throw new Error(`${path}: ${fault.message}`)
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  return {
    path,
    text,
    comments: parsed.comments,
    imports: importsOf(path, parsed, lineAt),
    lineAt,
    visit: (visitor) => new Visitor(visitor).visit(parsed.program),
  }
}

/** Every TypeScript and JavaScript file in these folders, except the bad examples. */
export function sourcesIn(...folders: string[]): Source[] {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx,js}`)
  return globSync(patterns, { cwd: root, exclude: ['test/rules/fixtures', '**/node_modules'] })
    .toSorted()
    .map((path) => parse(path, readFileSync(resolve(root, path), 'utf8')))
}

/** @returns the file's text, `null` where there is none */
export function readProjectFile(path: string): string | null {
  const file = resolve(root, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

function importsOf(path: string, parsed: ParseResult, lineAt: (offset: number) => number): Import[] {
  const imports: Import[] = []
  const add = (specifier: unknown, typeOnly: boolean, offset: number) => {
    const target = typeof specifier === 'string' ? resolveFrom(path, specifier) : '(computed)'
    imports.push({ target, typeOnly, line: lineAt(offset) })
  }
  new Visitor({
    ImportDeclaration: ({ source, importKind, specifiers, start }) => {
      const typed =
        specifiers.length > 0 && specifiers.every((one) => 'importKind' in one && one.importKind === 'type')
      add(source.value, importKind === 'type' || typed, start)
    },
    ExportNamedDeclaration: ({ source, exportKind, start }) => {
      if (source !== null) add(source.value, exportKind === 'type', start)
    },
    ExportAllDeclaration: ({ source, exportKind, start }) => add(source.value, exportKind === 'type', start),
    ImportExpression: ({ source, start }) => add('value' in source ? source.value : null, false, start),
    TSImportType: ({ source, start }) => add(source.value, true, start),
  }).visit(parsed.program)
  return imports
}

function resolveFrom(path: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(dirname(path), specifier) : specifier
}
