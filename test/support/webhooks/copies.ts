/** Many rows of one kind: to copy them takes less than a request for each. */
import assert from 'node:assert/strict'
import { newId } from '../../../src/core/id.ts'
import type { Service } from '../../../src/service/service.ts'

/** @returns the ids of the copies of a row, of which each is newer than that */
export async function copyRow(
  service: Service,
  table: 'subscription' | 'webhook_rule',
  id: string,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  await insertCopies(
    service,
    `${table} WHERE id = '${id}'`,
    ids.map((copy) => ({ id: copy })),
  )
  return ids
}

/** @param source a table and what its one row has @param copies the columns in which each copy differs */
export async function insertCopies(
  service: Service,
  source: `${string} WHERE ${string}`,
  copies: readonly Record<string, unknown>[],
): Promise<void> {
  const { catalogueDatabase } = (await service.operator()).shared
  const isNumbered = catalogueDatabase.dialect === 'postgres'
  await catalogueDatabase.transaction(async (transaction) => {
    const { rows } = await transaction.run(`SELECT * FROM ${source}`, [], false)
    const [row] = rows
    assert.ok(row !== undefined && rows.length === 1)
    const values = copies.flatMap((copy) => Object.values({ ...row, ...copy }))
    const width = Object.keys(row).length
    const marks = values.map((_, index) => (isNumbered ? `$${index + 1}` : '?'))
    const tuples = copies.map((_, index) => `(${marks.slice(index * width, (index + 1) * width).join(', ')})`)
    const [table] = source.split(' ')
    const text = `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES ${tuples.join(', ')}`
    if (copies.length > 0) await transaction.run(text, values, false)
  })
}
