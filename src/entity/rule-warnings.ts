/** Warnings at the start about what row rules cannot hide: that a unique value is taken, and gaps of a sequence. */
import type { RowCondition, TableRules } from '../database/row-rule.ts'
import type { Member, Names, Shape } from './definition.ts'

export function ruleWarnings(
  { name }: Names,
  { members }: Shape,
  unique: readonly (readonly Member[])[],
  rules: TableRules | null,
): string[] {
  const read = rules?.operations.read
  const fixed = read === undefined ? null : fixedColumns(read)
  if (fixed === null) return []
  const open = unique.filter(([first]) => first !== undefined && !fixed.has(first.column))
  const numbered = members.filter(({ spec }) => spec.kind === 'sequence')
  return [
    ...open.map(
      (key) =>
        `${name}: unique [${key.map(({ field }) => field).join(', ')}] tells a caller that a row out of reach has a value. Begin it with a member that the rule of rows fixes.`,
    ),
    ...numbered.map(
      ({ field }) => `${name}.${field}: the gaps of a sequence tell a caller how many rows are out of reach.`,
    ),
  ]
}

/**
 * @returns the columns whose values the condition determines for a caller; `null` for a condition whose callers reach
 * every row
 */
function fixedColumns(condition: RowCondition): ReadonlySet<string> | null {
  switch (condition.kind) {
    case 'caller':
      return null
    case 'named':
    case 'unnamed':
      return new Set()
    case 'any': {
      const [first, ...others] = condition.parts.flatMap((part) => fixedColumns(part) ?? [])
      if (first === undefined) return condition.parts.length === 0 ? new Set() : null
      return new Set([...first].filter((column) => others.every((each) => each.has(column))))
    }
    case 'all': {
      const fixed = condition.parts.flatMap((part) => fixedColumns(part) ?? [])
      return fixed.length === 0 ? null : new Set(fixed.flatMap((each) => [...each]))
    }
    default:
      return new Set([condition.column])
  }
}
