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
  return new ParsedSource(path, text)
}

/** Every TypeScript and JavaScript file in these folders, except the bad examples. */
export function sourcesIn(...folders: string[]): Source[] {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx,js}`)
  return globSync(patterns, { cwd: root, exclude: ['test/rules/fixtures', '**/node_modules'] })
    .toSorted()
    .map(sourceAt)
}

/** By their paths: the rules of a process read the same files. */
const known = new Map<string, Source>()

function sourceAt(path: string): Source {
  const source = known.get(path) ?? parse(path, readFileSync(resolve(root, path), 'utf8'))
  known.set(path, source)
  return source
}

/** Parses when a rule asks for more than the text. The tree of a file is large, and is not kept. */
class ParsedSource implements Source {
  readonly path: string
  readonly text: string
  #comments: Comment[] | null = null
  #imports: Import[] | null = null
  /** Where each begins. */
  #lines: number[] | null = null

  constructor(path: string, text: string) {
    this.path = path
    this.text = text
  }

  get comments(): Comment[] {
    this.#comments ??= this.#parse().comments
    return this.#comments
  }

  get imports(): Import[] {
    this.#imports ??= importsOf(this.path, this.#parse(), this.lineAt)
    return this.#imports
  }

  /** Rules take this and `visit` apart from their source. */
  readonly lineAt = (offset: number): number => {
    this.#lines ??= [0, ...Array.from(this.text.matchAll(/\n/g), ({ index }) => index + 1)]
    return countUpTo(this.#lines, offset)
  }

  readonly visit = (visitor: VisitorObject): void => {
    new Visitor(visitor).visit(this.#parse().program)
  }

  #parse(): ParseResult {
    const parsed = parseSync(this.path, this.text)
    const [fault] = parsed.errors
    if (fault !== undefined) throw new Error(`${this.path}: ${fault.message}`)
    return parsed
  }
}

/** @param sorted ascending @returns how many are not above the limit */
function countUpTo(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
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
