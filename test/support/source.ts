/** The source of the project, for the house rules. A file is parsed when something of its syntax is asked for. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, posix, resolve } from 'node:path'
import { type Comment, type ParseResult, parseSync, Visitor, type VisitorObject } from 'oxc-parser'

export const root = resolve(import.meta.dirname, '../..')

export interface Import {
  /** A path of the project, `src/catalog/product/sql.ts`, or the name of a package, `kysely`. */
  target: string
  typeOnly: boolean
  /** Offset in the text. */
  start: number
}

export interface Source {
  /** From the root of the project, e.g. `src/catalog/product/rest.ts`. */
  path: string
  text: string
  readonly comments: Comment[]
  readonly imports: Import[]
  lineAt(offset: number): number
  visit(visitor: VisitorObject): void
}

export function parse(path: string, text: string): Source {
  const parsed = once(() => parseText(path, text))
  const imports = once(() => importsOf(path, parsed()))
  const lineEnds = once(() => [...text.matchAll(/\n/g)].map(({ index }) => index))
  return {
    path,
    text,
    get comments() {
      return parsed().comments
    },
    get imports() {
      return imports()
    },
    lineAt: (offset) => countBelow(lineEnds(), offset) + 1,
    visit: (visitor) => new Visitor(visitor).visit(parsed().program),
  }
}

/** Every TypeScript and JavaScript file in these folders, except the bad examples. */
export function sourcesIn(...folders: string[]): Source[] {
  return pathsIn(...folders).map(readSource)
}

/** The paths of these files, from the root of the project. */
export function pathsIn(...folders: string[]): string[] {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx,js}`)
  return globSync(patterns, { cwd: root, exclude: ['test/rules/fixtures', '**/node_modules'] }).toSorted()
}

export function readSource(path: string): Source {
  return parse(path, readFileSync(resolve(root, path), 'utf8'))
}

/** @returns the file's text, `null` where there is none */
export function readProjectFile(path: string): string | null {
  const file = resolve(root, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function parseText(path: string, text: string): ParseResult {
  const parsed = parseSync(path, text)
  const fault = parsed.errors[0]
  if (fault !== undefined) throw new Error(`${path}: ${fault.message}`)
  return parsed
}

/** @param sorted ascending */
function countBelow(sorted: readonly number[], bound: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? bound) < bound) low = middle + 1
    else high = middle
  }
  return low
}

function importsOf(path: string, { program }: ParseResult): Import[] {
  const imports: Import[] = []
  const add = (specifier: unknown, typeOnly: boolean, start: number) => {
    const target = typeof specifier === 'string' ? resolveFrom(path, specifier) : '(computed)'
    imports.push({ target, typeOnly, start })
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
  }).visit(program)
  return imports
}

function resolveFrom(path: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(dirname(path), specifier) : specifier
}
