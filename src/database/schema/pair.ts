/** Finds which parts of two versions of an application's tables are the same: tables, columns, indexes. */
import type { Pairing } from './change.ts'
import type { Choice, Decisions, Question } from './decisions.ts'

interface Named {
  name: string
}

interface Naming<T> {
  decisions: Decisions
  /** The names by which the author's decisions refer to an old and to a new part: `invoice.note`. */
  oldName(name: string): string
  newName(name: string): string
  /** Whether `before` can become `after` without losing values. */
  keeps(before: T, after: T): boolean
  /** The text of the choice to drop a part, such as `its values are to be lost`. */
  loss: string
}

/**
 * Pairs old and new parts of the same name. For all others, the author's decisions say whether they were renamed or
 * dropped.
 */
export function pairByName<T extends Named>(
  before: readonly T[],
  after: readonly T[],
  naming: Naming<T>,
): { pairing: Pairing<T>; questions: Question[] } {
  const { decisions, oldName, newName, keeps } = naming
  const unpaired = new Map(after.map((each) => [newName(each.name), each]))
  const kept: [T, T][] = []
  const dropped: T[] = []
  const unclear: T[] = []
  const keep = (old: T, path: string): boolean => {
    const found = unpaired.get(path)
    if (found === undefined || !keeps(old, found)) return false
    unpaired.delete(path)
    kept.push([old, found])
    return true
  }
  const others = before.filter((old) => !keep(old, newName(old.name)))
  for (const old of others) {
    const path = oldName(old.name)
    const target = decisions.renames.get(path)
    if (target !== undefined && keep(old, target)) continue
    if (decisions.drops.has(path)) dropped.push(old)
    else unclear.push(old)
  }
  const oldNames = new Set(before.map(({ name }) => newName(name)))
  const candidates = [...unpaired].filter(([path]) => !oldNames.has(path))
  const questions = unclear.map((old) => {
    const renames = candidates.filter(([, each]) => keeps(old, each)).map(([path]) => path)
    return question(oldName(old.name), unpaired.has(newName(old.name)), renames, naming.loss)
  })
  return { pairing: { kept, dropped: [...dropped, ...unclear], added: [...unpaired.values()] }, questions }
}

function question(path: string, isThere: boolean, renames: readonly string[], loss: string): Question {
  const drop: Choice = { argument: `--drop ${path}`, meaning: loss }
  const rename = renames.map((to) => ({ argument: `--rename ${path}=${to}`, meaning: 'it was renamed' }))
  const text = isThere ? `${path} changes to a kind that cannot keep its values.` : `${path} is gone.`
  return { text, answers: [...rename, drop] }
}

/**
 * Pairs parts without names, such as foreign keys, by their content.
 * @param textOf is equal for parts that are the same
 */
export function pairByContent<T>(
  before: readonly T[],
  after: readonly T[],
  textOf: { before: (each: T) => string; after: (each: T) => string },
): Pairing<T> {
  const unpaired = new Map(after.map((each) => [textOf.after(each), each]))
  const kept: [T, T][] = []
  const dropped: T[] = []
  for (const old of before) {
    const text = textOf.before(old)
    const found = unpaired.get(text)
    if (found === undefined) dropped.push(old)
    else kept.push([old, found])
    unpaired.delete(text)
  }
  return { kept, dropped, added: [...unpaired.values()] }
}
