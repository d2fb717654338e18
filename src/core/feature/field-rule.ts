/** Rules of fields: who may read a member of a row, and who may write it. */
import type { Permission, PermissionSet } from '../permission.ts'

export interface FieldRule {
  /** What a caller needs to read the member. Without it the member does not exist for the caller. */
  read?: Permission
  /** What a caller needs to write it. `never`: code alone does. `once`: only a new row gets a value from callers. */
  write?: Permission | 'never' | 'once'
}

/** The rules by member. A member of the rows of a list is written like `lines.cost`. */
export type FieldRules = ReadonlyMap<string, FieldRule>

/** The rule of a member that every caller may read and write. */
export const noRule: FieldRule = {}

export function mayRead({ read }: FieldRule, permissions: PermissionSet): boolean {
  return read === undefined || permissions.has(read)
}

/** Whether a caller may write the member of a new row. A caller who cannot read a member cannot write it either. */
export function mayWrite(rule: FieldRule, permissions: PermissionSet): boolean {
  const { write } = rule
  if (write === 'never' || !mayRead(rule, permissions)) return false
  return write === undefined || write === 'once' || permissions.has(write)
}

/** The rules of the members of a list's rows. */
export function rulesWithin(rules: FieldRules, list: string): [name: string, rule: FieldRule][] {
  const prefix = `${list}.`
  return [...rules]
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, rule]) => [name.slice(prefix.length), rule])
}
