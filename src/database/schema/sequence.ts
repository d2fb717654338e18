/**
 * Statements that keep the table `sequence` right when columns change. A row of it is the last number that a tenant's
 * sequence, such as that of invoice numbers, has given.
 */
import { tenantColumn } from '../scope.ts'
import { quote } from '../sql-text.ts'
import { type Column, literal, type Table } from '../table.ts'
import type { SchemaChange, TableChange } from './change.ts'

/** @returns statements that are the same on both databases */
export function sequenceStatements({ dropped, changed }: SchemaChange): string[] {
  const gone = [
    ...dropped.flatMap(({ columns }) => columns),
    ...changed.flatMap(({ columns }) => [
      ...columns.dropped,
      ...columns.kept.filter(([, now]) => now.sequence === undefined).map(([old]) => old),
    ]),
  ]
  return [
    ...gone.flatMap(({ sequence }) =>
      sequence === undefined ? [] : [`DELETE FROM "sequence" WHERE "name" = ${literal(sequence)}`],
    ),
    ...changed.flatMap(moved),
    ...changed.flatMap(begun),
  ]
}

function moved({ columns }: TableChange): string[] {
  return columns.kept.flatMap(([{ sequence: old }, { sequence: now }]) =>
    old === undefined || now === undefined || old === now
      ? []
      : [`UPDATE "sequence" SET "name" = ${literal(now)} WHERE "name" = ${literal(old)}`],
  )
}

/** Starts new sequences after the numbers that existing rows have got. */
function begun({ after, columns }: TableChange): string[] {
  const isNew = columns.kept.filter(([old]) => old.sequence === undefined).map(([, now]) => now)
  return [...columns.added, ...isNew].flatMap(({ name, sequence }: Column) =>
    sequence === undefined
      ? []
      : [
          `INSERT INTO "sequence" ("${tenantColumn}", "name", "last")
  SELECT "${tenantColumn}", ${literal(sequence)}, max(${quote(name)}) FROM ${quote(after.name)} GROUP BY "${tenantColumn}"`,
        ],
  )
}

/** @returns the number of a row among those of its tenant, in the order of their creation */
export const rowNumber = `row_number() OVER (PARTITION BY "${tenantColumn}" ORDER BY "created_at", "id")`

export function numberRows({ name }: Table, column: string): string {
  return `UPDATE ${quote(name)} AS t SET ${quote(column)} = n.number
  FROM (SELECT "${tenantColumn}", "id", ${rowNumber} AS number FROM ${quote(name)}) AS n
  WHERE t."${tenantColumn}" = n."${tenantColumn}" AND t."id" = n."id"`
}
