import type { Table } from '../table.ts'

/** @returns each table after those that it refers to; tables that refer to each other are in any order */
export function inOrder(tables: readonly Table[]): Table[] {
  const left = new Map(tables.map((table) => [table.name, table]))
  const ordered: Table[] = []
  for (const name of [...left.keys()].toSorted()) place(name)
  return ordered

  function place(name: string): void {
    const table = left.get(name)
    if (table === undefined) return
    left.delete(name)
    for (const key of table.foreignKeys) place(key.table)
    ordered.push(table)
  }
}
