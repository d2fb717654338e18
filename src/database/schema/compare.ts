/**
 * Compares two versions of an application's tables. Nothing is guessed: where a difference may mean two things, such
 * as a new name or a new column, the author has to answer a question.
 */
import type { Column, ForeignKey, Index, Table } from '../table.ts'
import {
  becomesRequired,
  type ColumnValue,
  isAltered,
  type Pairing,
  type SchemaChange,
  type TableChange,
} from './change.ts'
import { type Decisions, noDecisions, type Question } from './decisions.ts'
import { inOrder } from './order.ts'
import { pairByContent, pairByName } from './pair.ts'
import { keepsValues, parseValue } from './value.ts'

export interface Comparison {
  change: SchemaChange
  /** Questions that the author has to decide. The change may be made only if there are none. */
  questions: readonly Question[]
}

export function compareTables(
  before: readonly Table[],
  after: readonly Table[],
  decisions: Decisions = noDecisions,
): Comparison {
  const same = (name: string) => name
  const naming = {
    decisions,
    oldName: same,
    newName: same,
    keeps: () => true,
    loss: 'its rows are to be lost',
  }
  const { pairing, questions } = pairByName(before, after, naming)
  const names = new Map(pairing.kept.map(([old, now]) => [old.name, now.name]))
  const compared = pairing.kept.map(([old, now]) => compareTable(old, now, names, decisions))
  return {
    change: {
      created: inOrder(pairing.added),
      dropped: pairing.dropped,
      changed: compared.map(({ change }) => change).filter(hasChanged),
    },
    questions: [
      ...questions,
      ...compared.flatMap((each) => each.questions),
      ...unused(decisions, pairing, compared),
    ],
  }
}

interface ComparedTable {
  change: TableChange
  questions: Question[]
  /** The columns for which existing rows need a value: `invoice.due_on`. */
  required: readonly string[]
}

/** @param tables new names of tables by old ones */
function compareTable(
  before: Table,
  after: Table,
  tables: ReadonlyMap<string, string>,
  decisions: Decisions,
): ComparedTable {
  const stored = ({ folds }: Column) => folds === undefined
  const { pairing, questions } = pairByName(before.columns.filter(stored), after.columns.filter(stored), {
    decisions,
    oldName: (name) => `${before.name}.${name}`,
    newName: (name) => `${after.name}.${name}`,
    keeps: (old, now) => keepsValues(old.kind, now.kind),
    loss: 'its values are to be lost',
  })
  const names = new Map(pairing.kept.map(([old, now]) => [old.name, now.name]))
  const caseFolded = pairCaseFolded(before, after, names)
  const columns = {
    kept: [...pairing.kept, ...caseFolded.kept],
    dropped: [...pairing.dropped, ...caseFolded.dropped],
    added: [...pairing.added, ...caseFolded.added],
  }
  const renamed = new Map(columns.kept.map(([old, now]) => [old.name, now.name]))
  const isGiven = ({ name }: Column) => decisions.fills.has(`${after.name}.${name}`)
  const required = [
    ...pairing.added.filter((each) => isGiven(each) || (!each.isNullable && each.sequence === undefined)),
    ...pairing.kept.filter(([old, now]) => becomesRequired(old, now)).map(([, now]) => now),
  ]
  const filled = fillsOf(after, required, decisions)
  const change = {
    before,
    after,
    columns,
    fills: filled.fills,
    indexes: pairByContent(before.indexes, after.indexes, {
      before: (index) => textOfIndex(index, renamed),
      after: (index) => textOfIndex(index, null),
    }),
    foreignKeys: pairByContent(before.foreignKeys, after.foreignKeys, {
      before: (key) => textOfKey(key, renamed, tables),
      after: (key) => textOfKey(key, null, null),
    }),
  }
  // Questions about values wait for those about names: a column that seems new may be a renamed one.
  const open = questions.length > 0 ? questions : [...filled.questions, ...keyQuestions(change, renamed)]
  return { change, questions: open, required: required.map(({ name }) => `${after.name}.${name}`) }
}

/** Pairs columns of case-folded text by the columns that they are made from. They need no questions. */
function pairCaseFolded(before: Table, after: Table, names: ReadonlyMap<string, string>) {
  const caseFolded = ({ columns }: Table) => columns.filter(({ folds }) => folds !== undefined)
  const textOf = (folds: string | undefined) => folds ?? ''
  return pairByContent(caseFolded(before), caseFolded(after), {
    before: ({ folds }) => textOf(names.get(folds ?? '')),
    after: ({ folds }) => textOf(folds),
  })
}

function fillsOf(
  { name }: Table,
  required: readonly Column[],
  { fills: given }: Decisions,
): { fills: Map<string, ColumnValue>; questions: Question[] } {
  const fills = new Map<string, ColumnValue>()
  const questions: Question[] = []
  for (const column of required) {
    const path = `${name}.${column.name}`
    const text = given.get(path)
    const value = text === undefined ? column.initial : parseValue(text, column)
    if (typeof value === 'object')
      questions.push({ text: `--fill ${path}=${text}: the value must be ${value.expected}.`, answers: [] })
    else if (value !== undefined) fills.set(column.name, value)
    else
      questions.push({
        text: `${path} may not be null and has no default: existing rows need a value.`,
        answers: [{ argument: `--fill ${path}=<value>`, meaning: 'all existing rows get it' }],
      })
  }
  return { fills, questions }
}

function keyQuestions({ before, after }: TableChange, renamed: ReadonlyMap<string, string>): Question[] {
  const old = before.key.map((column) => renamed.get(column))
  if (JSON.stringify(old) === JSON.stringify(after.key)) return []
  return [
    { text: `${after.name}: the primary key of a table cannot change. Create another table.`, answers: [] },
  ]
}

function textOfIndex({ columns, ...index }: Index, renamed: ReadonlyMap<string, string> | null): string {
  const { isUnique, isPartial = false, isSearch = false } = index
  return JSON.stringify([columns.map((column) => nameIn(renamed, column)), isUnique, isPartial, isSearch])
}

function textOfKey(
  { column, table, cascades = false }: ForeignKey,
  renamed: ReadonlyMap<string, string> | null,
  tables: ReadonlyMap<string, string> | null,
): string {
  return JSON.stringify([nameIn(renamed, column), tables?.get(table) ?? table, cascades])
}

/** @returns the new name of a column; for a dropped column, a name that no column can have */
function nameIn(renamed: ReadonlyMap<string, string> | null, column: string): string {
  return renamed === null ? column : (renamed.get(column) ?? `-${column}`)
}

function hasChanged({ before, after, columns, indexes, foreignKeys }: TableChange): boolean {
  const parts = [columns, indexes, foreignKeys]
  return (
    before.name !== after.name ||
    parts.some(({ dropped, added }) => dropped.length + added.length > 0) ||
    columns.kept.some(
      ([old, now]) => old.name !== now.name || old.sequence !== now.sequence || isAltered(old, now),
    )
  )
}

/** @returns a question for each decision that fits no change, for example because a name is misspelt */
function unused(
  { renames, drops, fills }: Decisions,
  tables: Pairing<Table>,
  compared: readonly ComparedTable[],
): Question[] {
  const changes = compared.map(({ change }) => change)
  const pairs = [
    ...tables.kept.map(([old, now]) => `${old.name}=${now.name}`),
    ...changes.flatMap(({ before, after, columns }) =>
      columns.kept.map(([old, now]) => `${before.name}.${old.name}=${after.name}.${now.name}`),
    ),
  ]
  const dropped = [
    ...tables.dropped.map(({ name }) => name),
    ...changes.flatMap(({ before, columns }) => columns.dropped.map(({ name }) => `${before.name}.${name}`)),
  ]
  const required = compared.flatMap((each) => each.required)
  const without = (option: string, texts: readonly string[], used: readonly string[]) =>
    texts.filter((text) => !used.includes(text)).map((text) => `--${option} ${text}`)
  const wrong = [
    ...without(
      'rename',
      [...renames].map(([from, to]) => `${from}=${to}`),
      pairs,
    ),
    ...without('drop', [...drops], dropped),
    ...without('fill', [...fills.keys()], required),
  ]
  return wrong.map((text) => ({ text: `${text}: there is no such change.`, answers: [] }))
}
