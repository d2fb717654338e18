/** Tables that change at random, with what has to become of their rows: a second account of what migrations do. */
import assert from 'node:assert/strict'
import type { Database, Row } from '../../../src/database/executor.ts'
import { foldText } from '../../../src/database/fold-text.ts'
import type { Decisions } from '../../../src/database/schema/decisions.ts'
import type { Column, ForeignKey, Index, Table } from '../../../src/database/table.ts'
import { insert, rowsOf } from './project.ts'
import { kinds, sampleOf, wider } from './sample.ts'
import { column, createdAt, idOf, table } from './tables.ts'

/** What the numbers of an edit mean depends on what is there. */
export interface Edit {
  kind: number
  table: number
  column: number
  detail: number
}

interface ModelColumn {
  /** Stays when the name changes. */
  id: number
  name: string
  definition: Pick<Column, 'kind' | 'isNullable' | 'min' | 'max' | 'values'>
  isFolded: boolean
  index: 'none' | 'plain' | 'unique'
  reference: { to: Model; cascades: boolean } | null
}

interface Model {
  name: string
  columns: ModelColumn[]
  rows: { tenant: string; id: string; values: Map<number, unknown> }[]
}

/** A table as it was in the version before. */
interface Former {
  model: Model
  name: string
  columns: { each: ModelColumn; name: string; isNullable: boolean }[]
}

type Settled = { renames: Map<string, string>; drops: Set<string>; fills: Map<string, string> }

const tableNames = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox', 'order']
const columnNames = ['red', 'green', 'blue', 'group', 'white', 'black', 'pink', 'gold']
const indexing = ['none', 'plain', 'unique'] as const
const tenants = ['acme', 'other']

export class History {
  #models: Model[] = []
  #counted = 0

  get tables(): Table[] {
    return this.#models.map(tableOf)
  }

  /** Edits the tables. @returns what is to be said of it */
  change(edits: readonly Edit[]): Decisions {
    const before: Former[] = this.#models.map((model) => ({
      model,
      name: model.name,
      columns: model.columns.map((each) => ({
        each,
        name: each.name,
        isNullable: each.definition.isNullable,
      })),
    }))
    const taken = new Set(before.flatMap(({ name, columns }) => [name, ...columns.map((each) => each.name)]))
    for (const edit of edits) this.#edit(edit, taken)
    const decisions: Settled = { renames: new Map(), drops: new Set(), fills: new Map() }
    for (const former of before) {
      const isLeft = this.#models.includes(former.model)
      settle(decisions, former.name, isLeft ? former.model.name : null)
      if (isLeft) settleColumns(decisions, former)
    }
    return decisions
  }

  /** @param taken names of the version before: in one step a name means one thing */
  #edit({ kind, table: which, column: place, detail }: Edit, taken: ReadonlySet<string>): void {
    const model = this.#models[which % Math.max(1, this.#models.length)]
    const name = freeName(tableNames, detail, [...taken, ...this.#models.map((each) => each.name)])
    const share = kind % 16
    if (model === undefined || share < 2) {
      if (name !== null) this.#models.push({ name, columns: [], rows: [] })
    } else if (share === 2) this.#drop(model)
    else if (share === 3) model.name = name ?? model.name
    else if (share < 7) this.#addColumn(model, detail, place, taken)
    else if (share < 9) this.#addReference(model, detail, place, taken)
    else {
      const found = model.columns[place % Math.max(1, model.columns.length)]
      if (found !== undefined) this.#editColumn(model, found, kind, detail, taken)
    }
  }

  #drop(model: Model): void {
    this.#models = this.#models.filter((each) => each !== model)
    for (const { columns } of this.#models)
      for (const each of columns) if (each.reference?.to === model) each.reference = null
  }

  #addColumn(model: Model, detail: number, more: number, taken: ReadonlySet<string>): void {
    const name = freeName(columnNames, detail, [...taken, ...model.columns.map((each) => each.name)])
    if (name === null) return
    const kind = kinds[detail % kinds.length] ?? 'key'
    const isNullable = more % 2 === 0
    const hasWords = kind === 'key' && more % 4 === 1
    const hasBounds = (kind === 'integer' || kind === 'price') && more % 4 < 2
    model.columns.push({
      id: ++this.#counted,
      name,
      reference: null,
      index: 'none',
      isFolded: kind === 'key' && more % 3 === 0,
      definition: {
        kind,
        isNullable,
        ...(hasWords && { values: ['low', "hi'gh"] }),
        ...(hasBounds && { min: 0, max: 5000 }),
      },
    })
  }

  #addReference(model: Model, detail: number, more: number, taken: ReadonlySet<string>): void {
    const name = freeName(columnNames, detail, [...taken, ...model.columns.map((each) => each.name)])
    const to = this.#models[more % this.#models.length]
    if (name === null || to === undefined) return
    model.columns.push({
      id: ++this.#counted,
      name,
      index: 'plain',
      isFolded: false,
      definition: { kind: 'id', isNullable: true },
      reference: { to, cascades: detail % 2 === 0 },
    })
  }

  #editColumn(
    model: Model,
    found: ModelColumn,
    kind: number,
    detail: number,
    taken: ReadonlySet<string>,
  ): void {
    const { definition } = found
    switch (kind % 7) {
      case 0:
        model.columns.splice(model.columns.indexOf(found), 1)
        break
      case 1:
        found.name =
          freeName(columnNames, detail, [...taken, ...model.columns.map((each) => each.name)]) ?? found.name
        break
      case 2:
        definition.isNullable = found.reference !== null || !definition.isNullable
        break
      case 3:
        definition.kind = wider[definition.kind] ?? definition.kind
        break
      case 4:
        delete definition.values
        delete definition.min
        break
      case 5:
        found.index = indexing[detail % indexing.length] ?? 'none'
        break
      default:
        this.#toggleReference(model, found, detail)
    }
  }

  #toggleReference({ rows }: Model, found: ModelColumn, detail: number): void {
    const to = this.#models[detail % this.#models.length]
    const isEmpty = rows.every(({ values }) => (values.get(found.id) ?? null) === null)
    const { kind, isNullable } = found.definition
    if (found.reference !== null) found.reference = null
    else if (kind === 'id' && isNullable && isEmpty && to !== undefined)
      found.reference = { to, cascades: detail % 2 === 0 }
  }

  /** To each table a row for each tenant. */
  async addRows(database: Database): Promise<void> {
    for (const model of this.#models) {
      for (const tenant of tenants) {
        const seed = ++this.#counted
        const values = new Map(model.columns.map((each) => [each.id, newValue(each, tenant, seed)]))
        const row = { tenant, id: idOf(seed), values }
        await insert(database, model.name, [storedRow(model, row)])
        model.rows.push(row)
      }
    }
  }

  async requireRows(database: Database): Promise<void> {
    for (const model of this.#models) {
      const expected = model.rows.map((row) => storedRow(model, row))
      const order = (row: Row) => `${row['tenant_id']} ${row['id']}`
      assert.deepEqual(
        await rowsOf(database, tableOf(model)),
        expected.toSorted((one, other) => (order(one) < order(other) ? -1 : 1)),
      )
    }
  }
}

function settle({ renames, drops }: Settled, from: string, to: string | null): void {
  if (to === null) drops.add(from)
  else if (from.split('.').at(-1) !== to.split('.').at(-1)) renames.set(from, to)
}

function settleColumns(decisions: Settled, { model, name, columns }: Former): void {
  for (const { each, name: former } of columns) {
    const isThere = model.columns.includes(each)
    settle(decisions, `${name}.${former}`, isThere ? `${model.name}.${each.name}` : null)
  }
  for (const each of model.columns) {
    const old = columns.find((one) => one.each === each)
    if (fill(model, each, old?.isNullable ?? null))
      decisions.fills.set(`${model.name}.${each.name}`, String(sampleOf(each.definition, each.id)))
  }
}

/** @param wasNullable `null` for a new column @returns whether existing rows get a value */
function fill({ rows }: Model, { id, definition }: ModelColumn, wasNullable: boolean | null): boolean {
  if (definition.isNullable || wasNullable === false) return false
  for (const { values } of rows) values.set(id, values.get(id) ?? sampleOf(definition, id))
  return true
}

function newValue({ definition, reference }: ModelColumn, tenant: string, seed: number): unknown {
  if (reference !== null) return reference.to.rows.find((row) => row.tenant === tenant)?.id ?? null
  return definition.isNullable && seed % 3 === 0 ? null : sampleOf(definition, seed)
}

function storedRow({ columns }: Model, { tenant, id, values }: Model['rows'][number]): Row {
  const entries = columns.flatMap(({ id: own, name, isFolded }): [string, unknown][] => {
    const value = values.get(own) ?? null
    const folded = typeof value === 'string' ? foldText(value) : null
    return isFolded
      ? [
          [name, value],
          [`search_${name}`, folded],
        ]
      : [[name, value]]
  })
  const all: [string, unknown][] = [...entries, ['tenant_id', tenant], ['id', id], ['created_at', createdAt]]
  return Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function tableOf({ name, columns }: Model): Table {
  const indexes = columns.flatMap(({ name: own, index }): Index[] =>
    index === 'none'
      ? []
      : [index === 'plain' ? { columns: [own], isUnique: false } : { columns: [own, 'id'], isUnique: true }],
  )
  const foreignKeys = columns.flatMap(({ name: own, reference }): ForeignKey[] =>
    reference === null ? [] : [{ column: own, table: reference.to.name, cascades: reference.cascades }],
  )
  const made = columns.flatMap(({ name: own, definition: { kind, ...more }, isFolded }): Column[] => {
    const plain = column(own, kind, more)
    if (!isFolded) return [plain]
    return [plain, column(`search_${own}`, 'text', { isNullable: more.isNullable, folds: own })]
  })
  return table(name, made, { indexes, foreignKeys })
}

function freeName(names: readonly string[], detail: number, taken: readonly string[]): string | null {
  const free = names.filter((name) => !taken.includes(name))
  return free[detail % Math.max(1, free.length)] ?? null
}
