/** Copies of the sources whose statements reach the whole installation, and what the types say about them. */
import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../support/source.ts'

/** A statement, or a function that builds some, that was given the reach of the installation. */
export interface Mutant {
  file: string
  name: string
  /** The first error that is about it; `null`: the types accept it. */
  refusedBy: string | null
}

interface Place {
  file: string
  name: string
  /** Of its text in the file. */
  start: number
  end: number
}

/** How the text of a file changes, and which places of the changed text are mutants. */
interface Mutation {
  folder: string
  change(text: string): string
  placesIn(text: string): Omit<Place, 'file'>[]
  isAbout(error: TypeFault, place: Place): boolean
}

interface TypeFault {
  file: string
  /** Of the file. */
  text: string
  offset: number
  message: string
}

const machinery = /^database\//

/** The name that the mutated statements call. */
const mutated = 'unscopedStatement'

const reaches = /\b(?:prepareInCatalogue|prepareForUser|prepareForTenantOrAll)\b/g

/** A prepared statement is made for the installation. Its handle, or the tenant that it lacks, refuses it. */
const statements: Mutation = {
  folder: 'statements',
  change: (text) =>
    text.replaceAll(
      /^import \{[^}]*\} from '[^']*\/prepared\.ts'$|\b(?:prepareInCatalogue|prepareForUser|prepareForTenantOrAll)\b/gm,
      (found) => (found.startsWith('import') ? withAlias(found) : mutated),
    ),
  placesIn: (text) =>
    [...text.matchAll(new RegExp(`(?<!as )\\b${mutated}\\b`, 'g'))].map(({ index }) => {
      const before = text.slice(0, index)
      const begin =
        before.endsWith('(') || /\(\s+$/.test(before) ? before.lastIndexOf('(') : text.indexOf('(', index)
      return { name: nameBefore(before), start: Math.min(begin, index), end: endOfGroup(text, begin) }
    }),
  isAbout: ({ file, text, offset }, place) =>
    (file === place.file && offset >= place.start && offset <= place.end) ||
    ((file === place.file || isImported(text, place.name)) && has(argumentAt(text, offset), place.name)),
}

/** A function that builds its statements gets a handle of the installation. Whoever calls it has none. */
const handles: Mutation = {
  folder: 'handles',
  change: (text) => {
    let changed = text
    for (const { start, end } of buildersIn(text).toReversed()) {
      const whole = changed
        .slice(start, end)
        .replaceAll(/: (?:CatalogueData|UserData)\b/g, `: ${unscopedHandle}`)
      changed = changed.slice(0, start) + whole + changed.slice(end)
    }
    return changed === text ? text : `${changed}\n${aliasOfHandle}`
  },
  placesIn: (text) => buildersIn(text),
  isAbout: ({ file, text, offset }, place) =>
    (file === place.file && offset >= place.start && offset <= place.end) ||
    ((file === place.file || isImported(text, place.name)) &&
      calleesAround(text, offset).includes(place.name)),
}

const unscopedHandle = 'UnscopedHandle'
const aliasOfHandle = `import type { InstallationData as ${unscopedHandle} } from 'database'\n`

/** @returns every mutant of the sources, sorted by file */
export async function tryUnscoped(): Promise<Mutant[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-unscoped-'))
  try {
    const places = [statements, handles].map((mutation) => [mutation, mutate(folder, mutation)] as const)
    const faults = await typeFaults(folder)
    return places.flatMap(([mutation, all]) =>
      all.map((place) => ({
        file: place.file,
        name: place.name,
        refusedBy: faults.find((fault) => mutation.isAbout(fault, place))?.message ?? null,
      })),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function mutate(folder: string, { folder: name, change, placesIn }: Mutation): Place[] {
  const copy = join(folder, name)
  cpSync(join(root, 'src'), copy, { recursive: true })
  const files = globSync('**/*.ts', { cwd: copy }).filter((file) => !machinery.test(file))
  return files.toSorted().flatMap((file) => {
    const path = join(copy, file)
    const text = readFileSync(path, 'utf8')
    const depth = file.split('/').length - 1
    const data = `${'../'.repeat(depth)}database/data.ts`
    const changed = change(text).replace("from 'database'", `from '${data}'`)
    if (changed === text) return []
    writeFileSync(path, changed)
    return placesIn(changed).map((place) => ({ file: `${name}/${file}`, ...place }))
  })
}

async function typeFaults(folder: string): Promise<TypeFault[]> {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  const config = { extends: join(root, 'tsconfig.json'), include: ['statements', 'handles'], exclude: [] }
  const paths = { paths: {}, noUnusedLocals: false }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, compilerOptions: paths }))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const lines = await promisify(execFile)(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], {
    cwd: folder,
    maxBuffer: 64_000_000,
  }).then(
    ({ stdout }) => stdout,
    (error: Error & { stdout?: string }) => error.stdout ?? error.message, // it ends with 2 if there are errors
  )
  return [...lines.matchAll(/^(\S+)\((\d+),(\d+)\): error (TS\d+: .*)$/gm)].map(
    ([, file = '', line, column, message = '']) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const offset =
        text.split('\n', Number(line) - 1).join('\n').length + (line === '1' ? 0 : 1) + Number(column) - 1
      return { file, text, offset, message: `${message.slice(0, 90)} (line ${line})` }
    },
  )
}

/** The import of what makes statements, with the mutated name beside the others. */
function withAlias(line: string): string {
  if (!/prepareInCatalogue|prepareForUser|prepareForTenantOrAll/.test(line)) return line
  return line
    .replaceAll(/\s*\b(?:prepareInCatalogue|prepareForUser|prepareForTenantOrAll)\b,?/g, '')
    .replace('{', `{ prepareForInstallation as ${mutated},`)
}

function nameBefore(before: string): string {
  return [...before.matchAll(/^(?:export )?(?:async )?(?:const|function) (\w+)/gm)].at(-1)?.[1] ?? '?'
}

/** The functions of a file that take a handle of a tenant or a user, and build a statement with it. */
function buildersIn(text: string): Omit<Place, 'file'>[] {
  const functions = [...text.matchAll(/^(?:export )?(?:async )?function\*? (\w+)/gm)]
  return functions.flatMap(({ 1: name = '', index }) => {
    const end = text.indexOf('\n}\n', index) + 2
    const whole = text.slice(index, end)
    const parameters = whole.matchAll(
      new RegExp(`(\\w+): (?:CatalogueData|UserData|${unscopedHandle})\\b`, 'g'),
    )
    const builds = [...parameters].some(([, parameter]) =>
      new RegExp(`\\b${parameter}\\s*\\.kysely\\b`).test(whole),
    )
    return builds ? [{ name, start: index, end }] : []
  })
}

function isImported(text: string, name: string): boolean {
  return new RegExp(`^import \\{[^}]*\\b${name}\\b`, 'm').test(text)
}

function has(text: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text)
}

/** @param open of its opening parenthesis */
function endOfGroup(text: string, open: number): number {
  let depth = 0
  for (let index = open; index < text.length; index++) {
    if (text[index] === '(') depth++
    if (text[index] === ')' && --depth === 0) return index
  }
  return text.length
}

/** The expression that begins here, up to the comma or the parenthesis after it. */
function argumentAt(text: string, offset: number): string {
  let depth = 0
  for (let index = offset; index < text.length; index++) {
    const character = text[index] ?? ''
    if (depth === 0 && ',);'.includes(character)) return text.slice(offset, index)
    if ('([{'.includes(character)) depth++
    if (')]}'.includes(character)) depth--
  }
  return text.slice(offset)
}

/** The names of the functions in whose calls this place is. */
function calleesAround(text: string, offset: number): string[] {
  const names: string[] = []
  let depth = 0
  for (let index = offset - 1; index > Math.max(0, offset - 2000); index--) {
    if (text[index] === ')') depth++
    if (text[index] !== '(' || depth-- > 0) continue
    depth = 0
    names.push(/(\w+)$/.exec(text.slice(Math.max(0, index - 80), index))?.[1] ?? '')
  }
  return names
}

/** How many statements of a tenant or a user the sources call for, by the same names. */
export function countStatements(): number {
  return globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !machinery.test(file.replace('src/', '')))
    .map((file) => readFileSync(join(root, file), 'utf8').replaceAll(/^import \{[^}]*\}/gm, ''))
    .reduce((count, text) => count + (text.match(reaches)?.length ?? 0), 0)
}
