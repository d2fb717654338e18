/** Restores versions: by an ordinary change of the row, or by inserting a deleted row again. */
import type { Context } from '../../core/context.ts'
import { invalidField, refusal } from '../../core/errors.ts'
import { notKnown } from '../../core/names.ts'
import type { Precondition } from '../../core/precondition.ts'
import type { Child, Member, Shape } from '../definition.ts'
import type { StoredRow, Values } from '../row.ts'
import { clearedUsers } from './deleted.ts'
import { type HistoryParts, versionOf } from './read.ts'
import { requireAllowed } from './restore-values.ts'

interface RestoreRequest {
  version: number
  /** The members to restore; all that the caller may change if absent. */
  fields?: readonly string[] | undefined
  precondition: Precondition
  /** Whether the caller may create rows: restoring a deleted row creates it again. */
  mayCreate: boolean
}

/**
 * @throws ServiceError `notFound`, `preconditionFailed`, `forbidden`; `invalid` for values that the definition, a unique
 *   constraint or a reference does not allow any more
 */
export async function restoreVersion(
  context: Context,
  id: string,
  { version, fields, precondition, mayCreate }: RestoreRequest,
  parts: HistoryParts,
): Promise<StoredRow> {
  const { shape, rows } = parts
  const { row, isDeleted } = await versionOf(context, id, version, parts)
  if (isDeleted) {
    if (!mayCreate) throw refusal('restoreTakesCreating')
    if (fields !== undefined)
      throw invalidField(
        'fields',
        'a deleted row is restored as a whole: restore it first, then fields of it',
        'notPossible',
      )
    return rows.restore(context, id, { version, values: restorable(shape, row), precondition })
  }
  const values =
    fields === undefined
      ? { ...restorable(shape, row), ...(await clearedUsers(context, shape, { row })) }
      : chosen(shape, row, fields)
  const isWritten = (name: string) =>
    fields !== undefined || rows.guard?.keeps(context.data.reach, name) !== true
  const given = Object.fromEntries(Object.entries(values).filter(([name]) => isWritten(name)))
  requireAllowed(shape, given)
  const present = await rows.findWhole(context, id)
  const differing = (from: Values) =>
    Object.fromEntries(
      Object.entries(given).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(from[name])),
    )
  // Unchanged members are left out, because they would be validated again: one may name a user who was deleted.
  const input = fields === undefined ? differing(present ?? {}) : given
  return rows.change(context, id, { input, precondition, decide: differing, restoredFrom: version })
}

/** Members that callers write; the others keep their present values. */
function restorable(shape: Shape, row: StoredRow): Values {
  const members = [...shape.members, ...shape.children].filter((each) => isRestored(each) && each.name in row)
  return Object.fromEntries(members.map(({ name }) => [name, row[name]]))
}

function isRestored(member: Member | Child): boolean {
  const { presence } = member.spec
  const { write } = member.rule
  return presence !== 'readOnly' && presence !== 'computed' && write !== 'never' && write !== 'once'
}

function chosen(shape: Shape, row: StoredRow, fields: readonly string[]): Values {
  const all = [...shape.members, ...shape.children]
  const values = fields.map((name) => {
    const member = all.find((each) => each.name === name)
    const known = all.map((each) => each.name)
    if (member === undefined)
      throw invalidField('fields', notKnown(name, 'not a member of a row', known), 'unknownName')
    if (!isRestored(member)) throw invalidField('fields', `${name} keeps its present value`, 'fixed')
    if (!(name in row)) throw invalidField('fields', `the version has no ${name}`, 'fixed')
    return [name, row[name]] as const
  })
  return Object.fromEntries(values)
}
