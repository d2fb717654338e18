/** Random definitions of entities. The same seed gives the same ones. */
import fc from 'fast-check'
import type { Entity } from '../../../src/entity/entity.ts'
import type { AnyField, Fields } from '../../../src/entity/field.ts'
import { boolean, date, entity, integer, many, money, reference, sequence } from '../../../src/index.ts'
import { type KindName, kindNames, kinds } from './kinds.ts'

export interface Member {
  /** As callers see it: `ownerId` for a reference `owner`. */
  name: string
  field: string
  kind: KindName
  presence: 'required' | 'optional' | 'default' | 'readOnly'
  isNullable: boolean
  /** Of a row whose creator gives none. */
  fallback: unknown
  /** That a reference leads to, or the references `to` of the rows of a list. */
  target: Definition | null
}

export interface Definition {
  entity: Entity<Fields>
  type: string
  path: string
  members: readonly Member[]
  searched: readonly string[]
  /** Names of members. */
  unique: readonly string[]
}

interface Plan {
  fields: { name: string; kind: KindName; presence: Member['presence'] }[]
  isSearched: boolean
  isUnique: boolean
  target: number
}

/** Words of SQL and GraphQL, and parameters of lists. */
const fieldNames = [
  ...['order', 'group', 'select', 'values', 'rowid', 'type', 'first', 'where', 'x', 'dueOn', 'aB1c'],
  ...['count', 'limit', 'sort', 'fields', 'cursor', 'search', 'tenant', 'n'.repeat(22), 'position2'],
]
const entityNames = [
  ...['group', 'table', 'transaction', 'box', 'party', 'shipmentNote', 'index', 'select', 'x', 'column'],
  'e'.repeat(39),
]

/** Rows of a `many` have these, and a reference. */
const itemFields = {
  label: integer(),
  amount: money(),
  day: date().optional(),
  isOpen: boolean().default(true),
}

export function randomDefinitions(count: number, seed: number): Definition[] {
  const plans = fc.sample(anyPlan, { numRuns: count, seed })
  const made: Definition[] = []
  for (const [index, plan] of plans.entries()) {
    // Each kind is in one of the first definitions.
    const kind = kindNames[index % kindNames.length] ?? 'text'
    const certain = { name: 'certain', kind, presence: 'required' as const }
    made.push(
      define(entityNames[index] ?? `thing${index}`, { ...plan, fields: [certain, ...plan.fields] }, made),
    )
  }
  return made
}

const anyPlan: fc.Arbitrary<Plan> = fc.record({
  fields: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...fieldNames),
      kind: fc.constantFrom(...kindNames),
      presence: fc.constantFrom(
        'required' as const,
        'optional' as const,
        'default' as const,
        'readOnly' as const,
      ),
    }),
    { selector: ({ name }) => name, minLength: 2, maxLength: 6 },
  ),
  isSearched: fc.boolean(),
  isUnique: fc.boolean(),
  target: fc.nat(),
})

/** Every entity has `tenantId` and, for the order of lists, an input of GraphQL for `sort` already. */
function nameOf({ name, kind }: Plan['fields'][number]): string {
  if (kind === 'many' && name === 'sort') return 'sorted'
  return kind === 'reference' && name === 'tenant' ? 'lessee' : name
}

function define(name: string, plan: Plan, known: readonly Definition[]): Definition {
  const fields: Record<string, AnyField> = {}
  const self: { is?: Definition } = {}
  const target = known[plan.target % Math.max(1, known.length)] ?? null
  const members = plan.fields.map((planned): Member => {
    const { kind } = planned
    const field = nameOf(planned)
    // A first row can refer to no other.
    const isSelf = kind === 'reference' && (target === null || planned.presence === 'optional')
    const presence = presenceOf(planned, isSelf)
    const refersTo = () => (isSelf ? self.is?.entity : target?.entity) as Entity<Fields> // declared by then
    fields[field] = withPresence(kind, presence, makeField(kind, refersTo, target === null))
    return {
      name: kind === 'reference' ? `${field}Id` : field,
      field,
      kind,
      presence,
      fallback: presence === 'default' || presence === 'readOnly' ? fallbackOf(kind) : null,
      isNullable: presence === 'optional',
      get target() {
        const referred = (isSelf ? self.is : target) ?? null
        return kind === 'reference' || kind === 'many' ? referred : null
      },
    }
  })
  const searched = plan.isSearched
    ? members.filter((each) => isText(each) || each.kind === 'long').map(({ name: each }) => each)
    : []
  const unique = plan.isUnique ? members.filter(isKey).slice(-2) : []
  const computed = members
    .filter(({ kind }) => kind === 'computed')
    .map(({ name: each }) => [each, (row: Record<string, unknown>) => sizeOf(row, members)] as const)
  const made = entity(name, {
    fields,
    compute: Object.fromEntries(computed),
    search: searched,
    sort: ['createdAt', ...members.filter(isText).map(({ field }) => field)],
    unique: unique.length === 0 ? [] : [unique.map(({ field }) => field)],
    actions: { touch: { run: () => ({}) } },
  } as never) as unknown as Entity<Fields> // its fields are known at run time
  const definition: Definition = {
    entity: made,
    type: made.model.name,
    path: made.routes[0]?.path ?? '',
    members,
    searched,
    unique: unique.map(({ name: each }) => each),
  }
  self.is = definition
  return definition
}

function presenceOf({ kind, presence }: Plan['fields'][number], isSelf: boolean): Member['presence'] {
  if (kind === 'sequence' || kind === 'computed' || kind === 'many') return 'required'
  if (kind === 'reference') return isSelf || presence !== 'required' ? 'optional' : 'required'
  return presence
}

function isText({ kind }: Member): boolean {
  return kind === 'text' || kind === 'folded'
}

/** Of kinds with more than a few values. */
function isKey(member: Member): boolean {
  return member.presence !== 'readOnly' && (isText(member) || member.kind === 'integer')
}

/** What computed members are made from. */
export function sizeOf(
  row: Record<string, unknown>,
  members: readonly Pick<Member, 'name' | 'kind'>[],
): number {
  const source = members.find(({ kind }) => kind !== 'computed')?.name ?? 'id'
  return JSON.stringify(row[source] ?? null).length
}

function makeField(kind: KindName, target: () => Entity<Fields>, isFirst: boolean): AnyField {
  switch (kind) {
    case 'reference':
      return reference(target)
    case 'many':
      return many({ ...itemFields, ...(!isFirst && { to: reference(target).optional() }) }, { max: 4 })
    case 'sequence':
      return sequence()
    case 'computed':
      return integer().computed()
    default:
      return kinds[kind].make()
  }
}

function withPresence(kind: KindName, presence: Member['presence'], field: AnyField): AnyField {
  switch (presence) {
    case 'required':
      return field
    case 'optional':
      return field.optional()
    case 'default':
      return field.default(fallbackOf(kind))
    case 'readOnly':
      return field.default(fallbackOf(kind)).readOnly()
  }
}

function fallbackOf(kind: KindName): unknown {
  return kind in kinds ? kinds[kind as keyof typeof kinds].values[1] : null // asked just before
}
