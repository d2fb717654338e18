/** Which test files a run takes, and in which order. */
import { globSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isBrowserTest } from './browser-tests.ts'
import { filesThatTouch } from './changed.ts'
import { readHistory } from './history.ts'
import type { RunOptions } from './options.ts'

const project = resolve(import.meta.dirname, '../../..')
const faultEnding = '.fault.test.ts'
const rulesFolder = 'test/rules'

/** What enumerates the product: whatever has to follow a change fails here within a minute. */
const contracts = [
  rulesFolder,
  'test/documents',
  'test/isolation',
  'test/releases',
  'test/api/openapi',
  'test/api/graphql/schema',
  'test/api/graphql/field',
  'test/core/events',
  'test/core/settings',
  'test/entity/description.test.ts',
  'test/service/new-fields.test.ts',
]

/** A service under attack serves its other clients only if it has the processor for itself. */
const alone = ['test/siege/siege.fault.test.ts', 'test/service/request-work/request-work.test.ts']

/** Whether no other file may run beside it. */
export function runsAlone(file: string): boolean {
  return alone.includes(file)
}

/** @returns paths from the root of the project, in the order in which they run */
export function chooseFiles({ quick, changed, contracts: enumerating, places }: RunOptions): string[] {
  const files = filesIn(quick ? [rulesFolder] : enumerating ? contracts : orAll(places), false)
  if (changed) return filesThatTouch(files)
  const history = readHistory()
  const touching = new Set(places.length === 0 && !quick ? filesThatTouch(files) : [])
  const failuresOf = (file: string): number => history[file]?.failures ?? 0
  const turnOf = (file: string): number => (touching.has(file) ? 0 : 1)
  const timeOf = (file: string): number => history[file]?.wallMs ?? 0
  return files.toSorted(
    (one, other) =>
      failuresOf(other) - failuresOf(one) || turnOf(one) - turnOf(other) || timeOf(other) - timeOf(one),
  )
}

/** The tests of faults: they kill instances and cut connections under load, or try very many cases. */
export function chooseFaults({ places, all }: RunOptions): string[] {
  return filesIn(orAll(places), true).filter((file) => !all || file.endsWith(faultEnding))
}

/** @returns the files that one process takes one after another */
export function unitsOf(files: readonly string[]): string[][] {
  const units = new Map<string, string[]>()
  for (const file of files) {
    const key = isBrowserTest(file) ? 'browser' : file
    units.set(key, [...(units.get(key) ?? []), file])
  }
  return [...units.values()]
}

function orAll(places: readonly string[]): readonly string[] {
  return places.length > 0 ? places : ['test']
}

/** A file that is named is taken, whatever it is called. */
function filesIn(places: readonly string[], faults: boolean): string[] {
  const found = places.flatMap((place) => {
    const path = resolve(project, place)
    if (statSync(path).isFile()) return [place]
    return globSync('**/*.test.ts', { cwd: path })
      .filter((file) => file.endsWith(faultEnding) === faults)
      .map((file) => join(place, file))
      .toSorted()
  })
  return [...new Set(found)]
}
