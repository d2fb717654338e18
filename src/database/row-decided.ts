/**
 * Lists the values, columns and references in a condition of an access rule, after what it asks of the caller alone has
 * been decided (`Decided`): `true` if the caller may access every row, `false` for none, or what the row has to meet.
 */
import type { Decided } from './row-rule.ts'

/** @returns a text that is equal for conditions with the same SQL: one compiled statement serves them all */
export function patternOf(decided: Decided): string {
  if (typeof decided === 'boolean') return decided ? '1' : '0'
  switch (decided.kind) {
    case 'any':
    case 'all':
      return `${decided.kind}(${decided.parts.map(patternOf).join()})`
    case 'value':
      return `${decided.name} ${decided.values}`
    case 'membership':
      return decided.name
    case 'referred':
      return `${decided.column}(${patternOf(decided.condition)})` // a column refers to one table
    case 'named':
      return `${decided.by.table}.${decided.by.column}(${patternOf(decided.condition)})`
    case 'unnamed':
      return 'unnamed' // once in a rule at most, with the same tables for every caller
  }
}

/** @returns the names of the values with which the condition compares columns */
export function namesIn(decided: Decided): string[] {
  if (typeof decided === 'boolean') return []
  switch (decided.kind) {
    case 'any':
    case 'all':
      return decided.parts.flatMap(namesIn)
    case 'value':
    case 'membership':
      return [decided.name]
    case 'referred':
    case 'named':
      return namesIn(decided.condition)
    case 'unnamed':
      return []
  }
}

/** A column of the table, and the table to whose rows it refers. */
export interface Reference {
  column: string
  table: string
}

export function referencesIn(decided: Decided): Reference[] {
  if (typeof decided === 'boolean') return []
  if (decided.kind === 'any' || decided.kind === 'all') return decided.parts.flatMap(referencesIn)
  return decided.kind === 'referred' ? [{ column: decided.column, table: decided.table }] : []
}

/** @returns the columns that the condition reads of the table itself, without those of other tables */
export function columnsIn(decided: Decided): string[] {
  if (typeof decided === 'boolean') return []
  switch (decided.kind) {
    case 'any':
    case 'all':
      return decided.parts.flatMap(columnsIn)
    case 'value':
    case 'membership':
    case 'referred':
      return [decided.column]
    case 'named':
    case 'unnamed':
      return ['id']
  }
}
