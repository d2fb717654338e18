/** Lists what a decided condition names: values, columns, and rows that it refers to. */
import type { Decided } from './row-rule.ts'

/** One text for all conditions with the same SQL. */
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
      return `${decided.column}(${patternOf(decided.condition)})`
    case 'named':
      return `${decided.by.table}.${decided.by.column}(${patternOf(decided.condition)})`
    case 'unnamed':
      return 'unnamed'
  }
}

/** The names of the values of a condition. */
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

export interface Reference {
  column: string
  table: string
}

export function referencesIn(decided: Decided): Reference[] {
  if (typeof decided === 'boolean') return []
  if (decided.kind === 'any' || decided.kind === 'all') return decided.parts.flatMap(referencesIn)
  return decided.kind === 'referred' ? [{ column: decided.column, table: decided.table }] : []
}

/** The columns of the table itself. */
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
