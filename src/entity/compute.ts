/** Computed members of rows. A function that reads a member with another read rule would reveal it, and is refused. */
import type { Child, Member, Shape } from './definition.ts'
import type { FieldSpec, Fields } from './field.ts'
import type { AnyAccessOfFields } from './field-rules.ts'
import type { Values } from './row.ts'

type Compute = (row: Values) => unknown
export type Computing = Readonly<Record<string, Compute>>

interface ComputedFields {
  fields: Fields
  shape: Shape
  access: AnyAccessOfFields
}

/** @throws Error for a computed field without a function, or whose function reads what callers of the field may not */
export function computationsOf(
  entity: string,
  compute: Computing,
  { fields, shape, access }: ComputedFields,
): Map<string, Compute> {
  const computed = Object.entries(fields).filter(([, { spec }]) => spec.presence === 'computed')
  return new Map(
    computed.map(([field]) => {
      const make = compute[field]
      if (make === undefined) throw new Error(`${entity}.${field} is computed, but compute has no ${field}.`)
      const { read, reveals = [] } = access[field] ?? {}
      const isHidden = ({ rule }: Pick<Member, 'rule'>) => rule.read !== undefined && rule.read !== read
      const { members, children } = shape
      const hidden = members.filter((member) => isHidden(member) && !reveals.includes(member.field))
      const lists = children.filter(
        (child) => !reveals.includes(child.name) && [child, ...child.members].some(isHidden),
      )
      if (hidden.length === 0 && lists.length === 0) return [field, make]
      const guarded = (row: Values) => make(withHidden(row, { field, hidden, lists, isHidden }))
      refuseHiddenReads(entity, shape, guarded)
      return [field, guarded]
    }),
  )
}

class HiddenFromComputation extends Error {}

interface HiddenMembers {
  field: string
  hidden: readonly Member[]
  lists: readonly Child[]
  isHidden(member: Pick<Member, 'rule'>): boolean
}

/** A copy of the row whose hidden members throw when the function reads them. */
function withHidden(row: Values, { field, hidden, lists, isHidden }: HiddenMembers): Values {
  const copy = { ...row }
  const hide = (of: Values, name: string, path: string) =>
    Object.defineProperty(of, name, {
      enumerable: true,
      get: () => {
        throw new HiddenFromComputation(
          `${field} is computed from ${path}, which has another read rule: give it the same, or name what it reveals.`,
        )
      },
    })
  for (const { name } of hidden) hide(copy, name, name)
  for (const list of lists) {
    const { name, members } = list
    if (isHidden(list)) hide(copy, name, name)
    const rows = isHidden(list) ? null : copy[name]
    if (!Array.isArray(rows)) continue
    copy[name] = rows.map((each: Values) => {
      const inner = { ...each }
      for (const member of members.filter(isHidden)) hide(inner, member.name, `${name}.${member.name}`)
      return inner
    })
  }
  return copy
}

/** Tries the function on a sample row at the start. What it reads of other rows only is refused when it runs. */
function refuseHiddenReads(entity: string, { members, children }: Shape, compute: Compute): void {
  const row: Values = { id: sampleId, createdAt: sampleTime, updatedAt: sampleTime, ...sampleOf(members) }
  for (const child of children) row[child.name] = [sampleOf(child.members)]
  try {
    compute(row)
  } catch (error) {
    if (error instanceof HiddenFromComputation)
      throw new Error(`${entity}.${error.message}`, { cause: error })
  }
}

const sampleId = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
const sampleTime = '2026-01-31T09:30:00.000Z'

function sampleOf(members: readonly Member[]): Values {
  return Object.fromEntries(members.map(({ name, spec }) => [name, sampleValue(spec)]))
}

function sampleValue({ kind, values = [] }: FieldSpec): unknown {
  switch (kind) {
    case 'text':
      return 'text'
    case 'integer':
    case 'money':
    case 'sequence':
      return 1
    case 'boolean':
      return true
    case 'date':
      return sampleTime.slice(0, 10)
    case 'timestamp':
      return sampleTime
    case 'enum':
      return values[0]
    case 'reference':
      return sampleId
    default:
      return []
  }
}
