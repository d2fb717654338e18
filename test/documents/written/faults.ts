/** The codes of what is wrong with a field. */
import { faultTypes } from '../../../src/core/fault-codes.ts'
import { code, tableOf } from './table.ts'

export function faultsTable(): string {
  const types: readonly (readonly [string, { text: string; parameters?: readonly string[] }])[] =
    Object.entries(faultTypes)
  return tableOf(
    ['Code', 'Meaning', 'Parameters'],
    types.map(([name, { text, parameters = [] }]) => [code(name), text, parameters.map(code).join(', ')]),
  )
}
