/**
 * Copies a tenant's rows in rounds. Each round reads one snapshot of the source. First it brings what was copied before
 * to the state of that snapshot, by the notes of the triggers, in one transaction; then it copies more of it. So what
 * is in the target is at any time a part of one state of the source, and obeys every rule of the schema.
 */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { BatchSize } from '../../database/batches.ts'
import {
  ConstraintViolation,
  type Database,
  type Executor,
  type Row,
  type Transaction,
} from '../../database/executor.ts'
import {
  type Changes,
  type CopyPosition,
  forgetChanges,
  readChanges,
  readCopyPosition,
  writeCopyPosition,
} from './move-state.ts'
import { deleteRows, type Key, keyOf, readPage, readRows, writeRows } from './rows.ts'
import type { TableShape } from './shape.ts'

export interface Transfer {
  /** Of this move. */
  id: string
  /** As it is written in the rows. */
  tenant: string
  source: Database
  target: Database
  /** Tables before those that refer to them. */
  shapes: readonly TableShape[]
  /** Columns that the target sets by itself, as `table.column`. */
  excluded: ReadonlySet<string>
}

/** What it takes to copy from one state. */
export interface CopyJob extends Omit<Transfer, 'source'> {
  /** Nobody else writes to the target. */
  isExclusive?: boolean
}

export interface Round {
  /** Every table has been copied to its end. */
  isComplete: boolean
  /** How many rows had changed since the round before. */
  changed: number
  tookMs: number
}

/** A new snapshot then: what has changed meanwhile is made up for in one transaction, which is to be short. */
const roundMs = 1000

/** @param whenInSync run while the target is as the snapshot is, once everything has been copied */
export async function copyRound(
  transfer: Transfer,
  whenInSync?: (from: Executor) => Promise<void>,
): Promise<Round> {
  const { source, target, shapes, tenant, id } = transfer
  const began = performance.now()
  let isComplete = false
  const changes = await source.snapshot(async (from) => {
    const found = await readChanges(from, shapes, tenant)
    const place = await readCopyPosition(target.executor, tenant, id)
    if (place === null) throw new Error('The target was not made ready.')
    await applyChanges(transfer, from, found, place)
    isComplete = await copyPages(transfer, from, place, began + roundMs)
    if (isComplete) await whenInSync?.(from)
    return found
  })
  await forgetChanges(source, changes)
  return { isComplete, changed: changes.seqs.length, tookMs: performance.now() - began }
}

export interface Change {
  shape: TableShape
  keys: Key[]
  /** Those that are there. */
  rows: Row[]
  /** Of the others. */
  gone: Key[]
}

/** Makes the rows that have changed in what was copied as `from` has them. @returns what they are */
export async function applyChanges(
  transfer: Transfer,
  from: Executor,
  changes: Changes,
  place: CopyPosition,
): Promise<Change[]> {
  const { target, tenant } = transfer
  const all: Change[] = []
  for (const shape of copiedTables(transfer, place)) {
    const keys = changes.keys.get(shape) ?? []
    const upTo = shape.name === place.table ? place.after : null
    const isEmpty = shape.name === place.table && place.after === null
    if (keys.length > 0 && !isEmpty)
      all.push(changeOf(shape, keys, await readRows(from, shape, tenant, keys, upTo)))
  }
  if (all.length === 0) return all
  try {
    await target.transaction((to) => write(transfer, to, all, false))
  } catch (error) {
    // Two rows may have exchanged what has to be unique: then neither can be written before the other is away.
    if (!(error instanceof ConstraintViolation) || error.rule !== 'unique') throw error
    await target.transaction((to) => write(transfer, to, all, true))
  }
  return all
}

function changeOf(shape: TableShape, keys: Key[], rows: Row[]): Change {
  const there = new Set(rows.map((row) => JSON.stringify(keyOf(shape, row))))
  return { shape, keys, rows, gone: keys.filter((key) => !there.has(JSON.stringify(key))) }
}

/** @param removeFirst also those that come back */
async function write(
  transfer: Transfer,
  to: Transaction,
  changes: readonly Change[],
  removeFirst: boolean,
): Promise<void> {
  await deferReferences(to)
  for (const { shape, keys, gone } of changes.toReversed())
    await deleteRows(to, shape, transfer.tenant, removeFirst ? keys : gone)
  for (const { shape, rows } of changes) await writeRows(to, shape, columnsOf(transfer, shape), rows)
}

/** Copies all that one state of the source has. @param from to read that state by */
export async function copyState(copying: CopyJob, from: Executor): Promise<void> {
  await copyPages(copying, from, { table: copying.shapes[0]?.name ?? null, after: null }, Infinity)
}

/** Into a file that nobody else uses: nobody waits for a page of it, which is held in memory. */
const exclusiveBatchRows = 20

async function copyPages(
  transfer: CopyJob,
  from: Executor,
  begin: CopyPosition,
  until: number,
): Promise<boolean> {
  let place = begin
  const { target, isExclusive = false } = transfer
  const size = new BatchSize(target.dialect, isExclusive ? exclusiveBatchRows : undefined)
  while (place.table !== null) {
    if (performance.now() > until) return false
    const shape = transfer.shapes.find(({ name }) => name === place.table)
    if (shape === undefined) throw new Error(`There is no table ${place.table}.`)
    place = await copyPage(transfer, from, shape, { after: place.after, size })
  }
  return true
}

async function copyPage(
  transfer: CopyJob,
  from: Executor,
  shape: TableShape,
  { after, size }: { after: Key | null; size: BatchSize },
): Promise<CopyPosition> {
  const { tenant, target, id, shapes } = transfer
  // A row may refer to one of its own table with a later key: then all of them have to come together.
  const limit = shape.parents.includes(shape.name) ? Number.MAX_SAFE_INTEGER : size.rows
  const rows = await readPage(from, shape, tenant, { after, limit })
  const last = rows.at(-1)
  const next = shapes[shapes.indexOf(shape) + 1]?.name ?? null
  const isEnd = last === undefined || rows.length < limit || shape.key.length === 0
  const place = isEnd ? { table: next, after: null } : { table: shape.name, after: keyOf(shape, last) }
  const began = performance.now()
  await target.transaction(async (to) => {
    const beganWriting = performance.now()
    await deferReferences(to)
    await writeRows(to, shape, columnsOf(transfer, shape), rows)
    await writeCopyPosition(to, tenant, id, place)
    if (transfer.isExclusive !== true) size.adapt(performance.now() - beganWriting)
  })
  // A file may have other writers, which get as much of the time.
  if (transfer.isExclusive === true) await nextTurn()
  else if (target.dialect === 'sqlite') await delay(performance.now() - began)
  return place
}

export function columnsOf({ excluded }: Pick<Transfer, 'excluded'>, shape: TableShape): string[] {
  return shape.columns.filter((column) => !excluded.has(`${shape.name}.${column}`))
}

/** Those that are complete, and the one that is being copied. */
function copiedTables({ shapes }: Transfer, { table }: CopyPosition): readonly TableShape[] {
  return table === null ? shapes : shapes.slice(0, shapes.findIndex(({ name }) => name === table) + 1)
}

/** Judged at the commit: in between a parent may be away. */
async function deferReferences(to: Transaction): Promise<void> {
  const statement =
    to.dialect === 'sqlite' ? 'PRAGMA defer_foreign_keys = ON' : 'SET CONSTRAINTS ALL DEFERRED'
  await to.run(statement, [], false)
}
