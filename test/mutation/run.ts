/**
 * Breaks the source at random places, one at a time, in a copy of the last commit, and tells which of them `npm test`
 * notices. What it does not notice needs a test, unless it makes no difference.
 *
 *     npm run mutations -- --count 30 --seed 1
 *     npm run mutations -- --beside 6e2bbaa1                     in sources that are the same in this commit
 *     npm run mutations -- --commit 6e2bbaa1 --beside HEAD --only 3,17     two of these places, in the other commit
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { randomFrom } from '../support/random-numbers.ts'
import { type Mutant, type MutantKind, mutantKinds, mutantsOf, mutated } from './mutants.ts'

const project = resolve(import.meta.dirname, '../..')

/** By this time `npm test` would have ended. */
const timeoutMs = 1_800_000

interface Place {
  path: string
  source: string
  mutant: Mutant
}

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    commit: { type: 'string', default: 'HEAD' },
    beside: { type: 'string', default: 'HEAD' },
    only: { type: 'string' },
  },
})

const places = choose(Number(values.count), Number(values.seed))
const only = values.only?.split(',').map(Number)
const copy = copyOf(values.commit)
let noticed = 0
try {
  for (const [index, place] of places.entries()) {
    if (only !== undefined && !only.includes(index)) continue
    const by = tryPlace(copy, place)
    if (by !== null) noticed++
    process.stdout.write(`${index} ${describePlace(place)}\n   ${by ?? 'NOT NOTICED'}\n`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
process.stdout.write(`\n${noticed} of ${only?.length ?? places.length} noticed\n`)

/** As many of each kind as of the others. */
function choose(count: number, seed: number): Place[] {
  const byKind = new Map<MutantKind, Place[]>(mutantKinds.map((kind) => [kind, []]))
  for (const path of git('ls-tree', '-r', '--name-only', values.commit, 'src').toSorted()) {
    if (!path.endsWith('.ts') || path.endsWith('.d.ts')) continue
    const source = show(values.commit, path)
    if (source === null || show(values.beside, path) !== source) continue
    for (const mutant of mutantsOf(path, source)) byKind.get(mutant.kind)?.push({ path, source, mutant })
  }
  const random = randomFrom(seed)
  return Array.from({ length: count }, (_, index) => {
    const candidates = byKind.get(mutantKinds[index % mutantKinds.length] ?? 'line') ?? []
    const place = candidates[Math.floor(random() * candidates.length)]
    if (place === undefined) throw new Error('There is nothing to break.')
    return place
  })
}

/** @returns what noticed it, `null` if nothing did */
function tryPlace(folder: string, { path, source, mutant }: Place): string | null {
  const file = join(folder, path)
  writeFileSync(file, mutated(source, mutant))
  // What the formatter alone would notice is no fault.
  spawnSync('npx', ['biome', 'format', '--write', file], { cwd: folder })
  const began = performance.now()
  const flags = values.commit === 'HEAD' ? ['--', '--bail'] : []
  const { status, stdout } = spawnSync('npm', ['test', ...flags], {
    cwd: folder,
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: 2 ** 28,
  })
  writeFileSync(file, source)
  if (status === 0) return null
  const failure = /^\s*(✖ .+|.*error TS.+|.*lint\/.+)$/m.exec(stdout)?.[1] ?? 'failed'
  return `${Math.round((performance.now() - began) / 1000)} s: ${failure}`
}

function describePlace({ path, source, mutant }: Place): string {
  const line = source.slice(0, mutant.start).split('\n').length
  const before = source.slice(mutant.start, mutant.end).split('\n')[0]
  return `${path}:${line} ${mutant.kind}: ${before} → ${mutant.text.split('\n')[0]}`
}

/** A clone, so that the run knows what has changed, with the installed packages. */
function copyOf(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-mutation-'))
  execFileSync('git', ['clone', '--quiet', project, folder])
  execFileSync('git', ['checkout', '--quiet', '-B', 'main', commit], { cwd: folder })
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(project, 'node_modules'))) {
    if (name !== '.cache')
      symlinkSync(join(project, 'node_modules', name), join(folder, 'node_modules', name))
  }
  return folder
}

/** @returns `null` where the commit has no such file */
function show(commit: string, path: string): string | null {
  try {
    return execFileSync('git', ['show', `${commit}:${path}`], {
      cwd: project,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  } catch {
    return null
  }
}

function git(...words: string[]): string[] {
  const text = execFileSync('git', words, { cwd: project, encoding: 'utf8', maxBuffer: 2 ** 26 })
  return text.split('\n').filter((line) => line !== '')
}
