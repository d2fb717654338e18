/**
 * Copies a tenant's rows in rounds. Each round reads one snapshot of the source. It first applies the logged changes to
 * the rows that were copied before, in one transaction, and then copies further rows. The target therefore always holds
 * a part of one state of the source, and satisfies every constraint of the schema.
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
import { KeyProgress } from '../../database/key-progress.ts'
import {
  type Changes,
  type CopyPosition,
  deleteChanges,
  readChanges,
  readCopyPosition,
  writeCopyPosition,
} from './move-state.ts'
import { deleteRows, type Key, keyOf, readPage, readRows, writeRows } from './rows.ts'
import type { TableShape } from './shape.ts'

export interface Transfer {
  /** The id of the move. */
  id: string
  /** The tenant id as the rows have it. */
  tenant: string
  source: Database
  target: Database
  /** Each table before those that reference it. */
  shapes: readonly TableShape[]
  /** Called after the commit of rows that are copied for the first time. */
  copied?: (rows: number) => void
  /** Columns that the target sets itself, as `table.column`. */
  excluded: ReadonlySet<string>
}

/** The parameters for copying one state of the source. */
export interface CopyJob extends Omit<Transfer, 'source'> {
  /** Whether this process is the only writer of the target. */
  isExclusive?: boolean
}

export interface Round {
  /** Whether every table is copied completely. */
  isComplete: boolean
  /** The number of rows that changed since the previous round. */
  changed: number
  tookMs: number
}

/** Limits a round: the changes of its duration are applied in one transaction, which has to be short. */
const roundMs = 1000

/** @param whenInSync runs once every row is copied, while the target equals the snapshot */
export async function copyRound(
  transfer: Transfer,
  whenInSync?: (from: Executor) => Promise<void>,
): Promise<Round> {
  const { source, target, shapes, tenant, id } = transfer
  const began = performance.now()
  let isComplete = false
  const changes = await source.snapshot(async (from) => {
    const found = await readChanges(from, shapes, tenant)
    const position = await readCopyPosition(target.executor, tenant, id)
    if (position === null) throw new Error('The target is not prepared.')
    await applyChanges(transfer, from, found, position)
    isComplete = await copyPages(transfer, from, position, began + roundMs)
    if (isComplete) await whenInSync?.(from)
    return found
  })
  await deleteChanges(source, changes)
  return { isComplete, changed: changes.seqs.length, tookMs: performance.now() - began }
}

export interface Change {
  shape: TableShape
  keys: Key[]
  /** Rows that exist. */
  rows: Row[]
  /** Keys of rows that were deleted. */
  gone: Key[]
}

/** Applies changes to the rows that were copied before. @param from the state to apply @returns the changes */
export async function applyChanges(
  transfer: Transfer,
  from: Executor,
  changes: Changes,
  position: CopyPosition,
): Promise<Change[]> {
  const { target } = transfer
  const all = await changedRows(transfer, from, changes, position)
  if (all.length === 0) return all
  try {
    await target.transaction((to) => write(transfer, to, all, { removeFirst: false }))
  } catch (error) {
    // Two rows may have exchanged a unique value: neither can be written before the other is deleted.
    if (!(error instanceof ConstraintViolation) || error.rule !== 'unique') throw error
    await target.transaction((to) => write(transfer, to, all, { removeFirst: true }))
  }
  return all
}

async function changedRows(
  transfer: Transfer,
  from: Executor,
  changes: Changes,
  position: CopyPosition,
): Promise<Change[]> {
  const all: Change[] = []
  for (const shape of copiedTables(transfer, position)) {
    const keys = changes.keys.get(shape) ?? []
    const isInProgress = shape.name === position.table
    const hasRows = !isInProgress || position.after !== null
    if (keys.length === 0 || !hasRows) continue
    const upTo = isInProgress ? position.after : null
    all.push(changeOf(shape, keys, await readRows(from, shape, transfer.tenant, keys, upTo)))
  }
  return all
}

function changeOf(shape: TableShape, keys: Key[], rows: Row[]): Change {
  const existing = new Set(rows.map((row) => JSON.stringify(keyOf(shape, row))))
  return { shape, keys, rows, gone: keys.filter((key) => !existing.has(JSON.stringify(key))) }
}

/** @param removeFirst deletes every changed row before any is written */
async function write(
  transfer: Transfer,
  to: Transaction,
  changes: readonly Change[],
  { removeFirst }: { removeFirst: boolean },
): Promise<void> {
  await deferReferences(to)
  for (const { shape, keys, gone } of changes.toReversed())
    await deleteRows(to, shape, transfer.tenant, removeFirst ? keys : gone)
  for (const { shape, rows } of changes) await writeRows(to, shape, columnsOf(transfer, shape), rows)
}

/** Copies all rows of one state. @param from reads that state */
export async function copyState(copying: CopyJob, from: Executor): Promise<void> {
  await copyPages(copying, from, { table: copying.shapes[0]?.name ?? null, after: null }, Infinity)
}

/** Rows of a page when this process is the only writer. No writer waits, but the page has to fit into memory. */
const exclusiveBatchRows = 20

async function copyPages(
  transfer: CopyJob,
  from: Executor,
  begin: CopyPosition,
  until: number,
): Promise<boolean> {
  let position = begin
  const { target, isExclusive = false } = transfer
  const size = new BatchSize(target.dialect, isExclusive ? exclusiveBatchRows : undefined)
  const progress = new KeyProgress()
  while (position.table !== null) {
    if (performance.now() > until) return false
    const shape = transfer.shapes.find(({ name }) => name === position.table)
    if (shape === undefined) throw new Error(`There is no table ${position.table}.`)
    position = await copyPage(transfer, from, shape, { after: position.after, size })
    progress.advance(JSON.stringify(position))
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
  // A row may reference a row of the same table with a later key, so all of them are copied together.
  const limit = shape.parents.includes(shape.name) ? Number.MAX_SAFE_INTEGER : size.rows
  const rows = await readPage(from, shape, tenant, { after, limit })
  const last = rows.at(-1)
  const next = shapes[shapes.indexOf(shape) + 1]?.name ?? null
  const isEnd = last === undefined || rows.length < limit || shape.key.length === 0
  const position = isEnd ? { table: next, after: null } : { table: shape.name, after: keyOf(shape, last) }
  const began = performance.now()
  await target.transaction(async (to) => {
    const beganWriting = performance.now()
    await deferReferences(to)
    await writeRows(to, shape, columnsOf(transfer, shape), rows)
    await writeCopyPosition(to, tenant, id, position)
    if (transfer.isExclusive !== true) size.adapt(performance.now() - beganWriting)
  })
  transfer.copied?.(rows.length)
  // Leaves half of the time to other writers of the file.
  if (transfer.isExclusive === true) await nextTurn()
  else if (target.dialect === 'sqlite') await delay(performance.now() - began)
  return position
}

export function columnsOf({ excluded }: Pick<Transfer, 'excluded'>, shape: TableShape): string[] {
  return shape.columns.filter((column) => !excluded.has(`${shape.name}.${column}`))
}

/** The complete tables, and the one that is being copied. */
function copiedTables({ shapes }: Transfer, { table }: CopyPosition): readonly TableShape[] {
  return table === null ? shapes : shapes.slice(0, shapes.findIndex(({ name }) => name === table) + 1)
}

/** Foreign keys are checked at the commit, because a parent may be missing until then. */
async function deferReferences(to: Transaction): Promise<void> {
  const statement =
    to.dialect === 'sqlite' ? 'PRAGMA defer_foreign_keys = ON' : 'SET CONSTRAINTS ALL DEFERRED'
  await to.run(statement, [], false)
}
