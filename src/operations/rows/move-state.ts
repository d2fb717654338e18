/** The state of a move: logged changes and the fence in the source, the copy position in the target. */
import type { Database, Executor } from '../../database/executor.ts'
import { placeholders } from '../../database/sql-text.ts'
import type { Key } from './rows.ts'
import type { TableShape } from './shape.ts'

export interface Changes {
  /** The numbers of the log entries that were read. */
  seqs: number[]
  /** The changed rows, each once. */
  keys: Map<TableShape, Key[]>
}

const batchSize = 1000

export async function readChanges(
  executor: Executor,
  shapes: readonly TableShape[],
  tenant: string,
): Promise<Changes> {
  const sql = `SELECT seq, relation, key FROM move_log WHERE tenant = ${placeholders(executor.dialect)(1)} ORDER BY seq`
  const { rows } = await executor.run(sql, [tenant], true)
  const byTable = new Map(shapes.map((shape) => [shape.name, new Map<string, Key>()]))
  for (const { relation, key } of rows) {
    const values = JSON.parse(String(key)) as unknown[] // the triggers write lists
    byTable.get(String(relation))?.set(JSON.stringify(values), values)
  }
  const keys = new Map(shapes.map((shape) => [shape, [...(byTable.get(shape.name)?.values() ?? [])]]))
  return { seqs: rows.map(({ seq }) => Number(seq)), keys }
}

/** Deletes only the entries that were read: on PostgreSQL an entry with a lower number may commit later. */
export async function deleteChanges(source: Database, { seqs }: Changes): Promise<void> {
  for (let from = 0; from < seqs.length; from += batchSize) {
    const some = seqs.slice(from, from + batchSize)
    await source.transaction(async (transaction) => {
      const these =
        source.dialect === 'sqlite' ? '(SELECT value FROM json_each(?))' : '(SELECT unnest($1::bigint[]))'
      await transaction.run(`DELETE FROM move_log WHERE seq IN ${these}`, [some], true)
    })
  }
}

/** @returns the number of deleted entries */
export async function deleteChangeBatch(source: Database, tenant: string): Promise<number> {
  const sql = `DELETE FROM move_log WHERE seq IN (SELECT seq FROM move_log WHERE tenant = ${placeholders(source.dialect)(1)} LIMIT ${batchSize})`
  return source.transaction(async (transaction) => (await transaction.run(sql, [tenant], true)).affected)
}

export async function isFenced(executor: Executor, tenant: string): Promise<boolean> {
  const sql = `SELECT 1 FROM move_fence WHERE tenant = ${placeholders(executor.dialect)(1)}`
  return (await executor.run(sql, [tenant], true)).rows.length > 0
}

/** Sets the fence: after the commit, triggers refuse to write rows of the tenant into this database. */
export async function setFence(executor: Executor, tenant: string, now: string): Promise<void> {
  const placeholder = placeholders(executor.dialect)
  const sql = `INSERT INTO move_fence (tenant, set_at) VALUES (${placeholder(1)}, ${placeholder(2)})`
  await executor.run(sql, [tenant, now], true)
}

export async function removeFence(executor: Executor, tenant: string): Promise<void> {
  const sql = `DELETE FROM move_fence WHERE tenant = ${placeholders(executor.dialect)(1)}`
  await executor.run(sql, [tenant], true)
}

/** Where copying continues. Earlier tables are complete, later tables are empty. */
export interface CopyPosition {
  /** `null` when every table is complete. */
  table: string | null
  /** The last key that was copied; `null` for none. */
  after: Key | null
}

/** @returns `null` when the copy of this move has not begun */
export async function readCopyPosition(
  executor: Executor,
  tenant: string,
  move: string,
): Promise<CopyPosition | null> {
  const placeholder = placeholders(executor.dialect)
  const sql = `SELECT place FROM move_arrival WHERE tenant = ${placeholder(1)} AND move = ${placeholder(2)}`
  const [row] = (await executor.run(sql, [tenant, move], true)).rows
  return row === undefined ? null : (JSON.parse(String(row['place'])) as CopyPosition) // written below
}

/** To be called inside the transaction that writes the rows. */
export async function writeCopyPosition(
  executor: Executor,
  tenant: string,
  move: string,
  position: CopyPosition,
): Promise<void> {
  const placeholder = placeholders(executor.dialect)
  const sql = `INSERT INTO move_arrival (tenant, move, place) VALUES (${[1, 2, 3].map(placeholder)})
    ON CONFLICT (tenant) DO UPDATE SET move = excluded.move, place = excluded.place`
  await executor.run(sql, [tenant, move, JSON.stringify(position)], true)
}

export async function removeCopyPosition(executor: Executor, tenant: string): Promise<void> {
  const sql = `DELETE FROM move_arrival WHERE tenant = ${placeholders(executor.dialect)(1)}`
  await executor.run(sql, [tenant], true)
}
