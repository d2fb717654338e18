/** Describes a change of tables in words: in lines for a person, and in the name of its file. */
import type { Table } from '../table.ts'
import { isAltered, type SchemaChange, type TableChange } from './change.ts'

/** @returns a line for each table, column, index and foreign key that changes */
export function describeChange({ created, dropped, changed }: SchemaChange): string[] {
  return [
    ...created.map(({ name }) => `create table ${name}`),
    ...dropped.map(({ name }) => `drop table ${name}`),
    ...changed.flatMap(describeTable),
  ]
}

function describeTable({ before, after, columns, indexes, foreignKeys }: TableChange): string[] {
  const table = after.name
  const altered = columns.kept.filter(([old, now]) => isAltered(old, now) || old.sequence !== now.sequence)
  return [
    ...(before.name === table ? [] : [`rename table ${before.name} to ${table}`]),
    ...columns.kept
      .filter(([old, now]) => old.name !== now.name)
      .map(([old, now]) => `${table}: rename ${old.name} to ${now.name}`),
    ...columns.added.map(({ name }) => `${table}: add ${name}`),
    ...columns.dropped.map(({ name }) => `${table}: drop ${name}`),
    ...altered.map(([, { name }]) => `${table}: change ${name}`),
    ...indexes.added.map((index) => `${table}: add index of ${index.columns.join(', ')}`),
    ...indexes.dropped.map((index) => `${table}: drop index of ${index.columns.join(', ')}`),
    ...foreignKeys.added.map(({ column }) => `${table}: add foreign key ${column}`),
    ...foreignKeys.dropped.map(({ column }) => `${table}: drop foreign key ${column}`),
  ]
}

const maxNamed = 3
const maxNameLength = 60

/** @returns words with hyphens: `create-invoice`, `invoice-add-sku` */
export function nameOfChange(change: SchemaChange): string {
  const { created, dropped, changed } = change
  const kinds = [created, dropped, changed].filter(({ length }) => length > 0).length
  if (kinds > 1) return 'change-tables'
  const [table] = changed
  if (changed.length === 1 && table !== undefined) return hyphenated(wordsOf(table))
  if (changed.length > 1)
    return hyphenated(
      named(
        'change',
        changed.map(({ after }) => after),
      ),
    )
  return hyphenated(created.length > 0 ? named('create', created) : named('drop', dropped))
}

/** Names only tables of entities: the tables of their lists, which are deleted with them, are understood. */
function named(verb: string, tables: readonly Table[]): string {
  const names = new Set(tables.map(({ name }) => name))
  const own = tables.filter(
    ({ name, foreignKeys }) =>
      !foreignKeys.some(({ table, cascades }) => cascades === true && table !== name && names.has(table)),
  )
  return own.length > maxNamed
    ? `${verb}-${own.length}-tables`
    : [verb, ...own.map(({ name }) => name)].join('-')
}

function wordsOf({ before, after, columns }: TableChange): string {
  if (before.name !== after.name) return `rename-${before.name}-to-${after.name}`
  const renamed = columns.kept.filter(([old, now]) => old.name !== now.name && now.folds === undefined)
  const added = columns.added.filter(({ folds }) => folds === undefined)
  const dropped = columns.dropped.filter(({ folds }) => folds === undefined)
  const [pair] = renamed
  const count = renamed.length + added.length + dropped.length
  if (count === renamed.length && count === 1 && pair !== undefined)
    return `${after.name}-rename-${pair[0].name}-to-${pair[1].name}`
  if (count > 0 && count <= maxNamed && count === added.length) return columnsOf('add', after, added)
  if (count > 0 && count <= maxNamed && count === dropped.length) return columnsOf('drop', after, dropped)
  return `change-${after.name}`
}

function columnsOf(verb: string, { name }: Table, columns: readonly { name: string }[]): string {
  return [name, verb, ...columns.map((column) => column.name)].join('-')
}

function hyphenated(text: string): string {
  return text.replaceAll('_', '-').slice(0, maxNameLength).replace(/-+$/, '')
}
