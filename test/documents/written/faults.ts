/** The codes of what is wrong with a field or a whole request. */
import { errorKinds } from '../../../src/core/errors.ts'
import { faultTypes } from '../../../src/core/fault-codes.ts'
import { programRefusals } from '../../../src/core/program-refusals.ts'
import { refusals } from '../../../src/core/refusals.ts'
import { code, tableOf } from './table.ts'

export function faultsTable(): string {
  const types: readonly (readonly [string, { text: string; parameters?: readonly string[] }])[] =
    Object.entries(faultTypes)
  return tableOf(
    ['Code', 'Meaning', 'Parameters'],
    types.map(([name, { text, parameters = [] }]) => [code(name), text, parameters.map(code).join(', ')]),
  )
}

/** Those of every kind, and those that say more. */
export function refusalsTable(): string {
  const kinds = Object.entries(errorKinds).map(([name, { status, text }]) => ({ name, status, text }))
  const own = Object.entries({ ...refusals, ...programRefusals })
    .filter(([name]) => !Object.hasOwn(errorKinds, name))
    .map(([name, { kind, text }]) => ({ name, status: errorKinds[kind].status, text }))
  const all = [...kinds, ...own].toSorted((one, other) => one.status - other.status)
  return tableOf(
    ['Code', 'Status', 'Text'],
    all.map(({ name, status, text }) => [code(name), `${status}`, text.replaceAll(/\{\w+\}/g, code)]),
  )
}
