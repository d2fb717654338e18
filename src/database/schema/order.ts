import type { Table } from '../table.ts'

/** @returns each table after those that it refers to; tables that refer to each other are in any order */
export function inOrder(tables: readonly Table[]): Table[] {
  const unplaced = new Map(tables.map((table) => [table.name, table]))
  const ordered: Table[] = []
  for (const name of [...unplaced.keys()].toSorted()) place(name)
  return ordered

  function place(name: string): void {
    const table = unplaced.get(name)
    if (table === undefined) return
    unplaced.delete(name)
    for (const key of table.foreignKeys) place(key.table)
    ordered.push(table)
  }
}
