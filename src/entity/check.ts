/** Refuses definitions of entities that their types allow but that cannot work. */

import { isPattern } from '../core/schema/pattern.ts'
import { maxAmount } from '../core/schema/schema.ts'
import { isDay, isTimestamp } from '../database/date.ts'
import { maxNameLength } from '../database/table.ts'
import type { EntityAction } from './behaviour.ts'
import type { Child, Member, Names, Shape } from './definition.ts'
import { eventWords } from './event.ts'
import type { FieldSpec } from './field.ts'
import type { Keeping } from './history/option.ts'
import { versionFileTableOf, versionTableOf } from './history/table.ts'
import { nameOfUser } from './user-reference.ts'

export interface CheckedDefinition {
  names: Names
  shape: Shape
  unique: readonly (readonly Member[])[]
  /** Names of members. */
  sorted: readonly string[]
  actions: ReadonlyMap<string, EntityAction>
  payload: Readonly<Record<string, readonly string[]>>
  /** Names of fields with a function. */
  computed: readonly string[]
  /** How superseded versions and deleted rows are kept; `null` for an entity that keeps none. */
  keeping: Keeping | null
}

/** @throws Error with the name of the entity or field and the reason */
export function requireSense(definition: CheckedDefinition): void {
  const { names, shape } = definition
  const { members, children } = shape
  const refuse = (place: string, reason: string): never => {
    throw new Error(`${names.name}${place === '' ? '' : `.${place}`}: ${reason}`)
  }
  if (isTaken(names.name)) refuse('', 'all objects have a member of this name.')
  if (names.plural === names.name) refuse('', 'one row and several need different names; give it a plural.')
  requireNames(refuse, '', members, children)
  requireColumns(refuse, '', names.table, ['id', 'created_at', 'updated_at', 'version'], members)
  for (const child of children) {
    requireNames(refuse, `${child.name}.`, child.members, [])
    requireColumns(refuse, `${child.name}.`, child.table, [child.parentColumn, 'position'], child.members)
    for (const member of child.members) requireValues(refuse, `${child.name}.${member.field}`, member.spec)
  }
  requireDifferent(
    children.map(({ table, name }) => [table, name]),
    (name) => refuse(name, 'the rows of another list have the same table.'),
  )
  for (const { field, spec } of members) requireValues(refuse, field, spec)
  for (const { name, spec } of children) requireValues(refuse, name, spec)
  requireClearable(refuse, shape)
  requireComparable(refuse, definition)
  requireIndexable(refuse, definition)
  requireActions(refuse, definition)
  requirePayload(refuse, definition)
  requireComputed(refuse, definition)
  requireKept(refuse, definition)
}

function requireClearable(refuse: Refuse, { members, children }: Shape): void {
  for (const { field, spec } of members)
    if (spec.isCleared === true && !spec.isNullable)
      refuse(field, 'it is cleared when the user is deleted, and therefore optional().')
  for (const { name, members: inner } of children)
    for (const { field, spec } of inner)
      if (spec.isCleared === true) refuse(`${name}.${field}`, 'rows of a list keep the id of a deleted user.')
}

function requireComparable(refuse: Refuse, { shape, unique, sorted }: CheckedDefinition): void {
  for (const { field, spec } of unique.flat())
    if (spec.kind === 'json') refuse(field, 'a unique constraint has no lists and no JSON.')
  for (const { name, field, spec } of shape.members)
    if (spec.kind === 'json' && sorted.includes(name)) refuse(field, 'lists are not sorted by JSON.')
}

/** An index entry of PostgreSQL has at most 2 704 bytes. The tenant and the id are in each entry too. */
const maxIndexedBytes = 2500
const maxBytesPerCharacter = 4
/** Case folding makes up to three characters, of two bytes each, of one. */
const maxBytesPerCaseFoldedCharacter = 6

function requireIndexable(refuse: Refuse, { shape, unique, sorted }: CheckedDefinition): void {
  const bytesOf = ({ spec }: Member, bytesPerCharacter: number) =>
    spec.kind === 'text' ? bytesPerCharacter * boundsOf(spec.schema).length[1] : 0
  for (const member of shape.members)
    if (sorted.includes(member.name) && bytesOf(member, maxBytesPerCharacter) > maxIndexedBytes)
      refuse(
        member.field,
        `lists that are sorted by it need an index, which has no texts as long; ${shorter}`,
      )
  for (const members of unique) {
    const bytes = members.map((member) =>
      bytesOf(
        member,
        member.caseFoldedColumn === null ? maxBytesPerCharacter : maxBytesPerCaseFoldedCharacter,
      ),
    )
    if (bytes.reduce((sum, each) => sum + each, 0) > maxIndexedBytes)
      refuse(
        members.at(-1)?.field ?? '',
        `a unique constraint needs an index, which has no texts as long; ${shorter}`,
      )
  }
}

const shorter = 'give them a smaller max.'

type Refuse = (place: string, reason: string) => never

/** Filters in GraphQL have members `and` and `or`. Every JavaScript object has those of `Object.prototype`. */
function isTaken(name: string): boolean {
  return name === 'and' || name === 'or' || name in Object.prototype
}

function requireNames(
  refuse: Refuse,
  place: string,
  members: readonly Member[],
  children: readonly Child[],
): void {
  const names = [...members, ...children].flatMap((each) => {
    const field = 'field' in each ? each.field : each.name
    const isNamed = each.spec.isUser === true && each.spec.isShown === true
    const all = new Set([field, each.name, ...(isNamed ? [nameOfUser({ field })] : [])])
    return [...all].map((name) => [name, field] as const)
  })
  requireDifferent(names, (field) => refuse(`${place}${field}`, 'another field has a member of this name.'))
  for (const [name] of names)
    if (isTaken(name)) refuse(`${place}${name}`, 'filters, or all objects, have a member of this name.')
}

function requireColumns(
  refuse: Refuse,
  place: string,
  table: string,
  own: readonly string[],
  members: readonly Member[],
): void {
  const columns = members.flatMap(({ field, column, caseFoldedColumn }) =>
    [column, ...(caseFoldedColumn === null ? [] : [caseFoldedColumn])].map((each) => [each, field] as const),
  )
  requireDifferent([...own.map((each) => [each, each] as const), ...columns], (field) =>
    refuse(`${place}${field}`, `the table ${table} has its column already.`),
  )
  for (const [name, field] of columns)
    if (name.length > maxNameLength) refuse(`${place}${field}`, `its column ${name} has too long a name.`)
  if (table.length > maxNameLength) refuse(place, `its table ${table} has too long a name.`)
}

/** @param named each name with its owner, of which an error speaks */
function requireDifferent(
  named: readonly (readonly [string, string])[],
  refuse: (owner: string) => never,
): void {
  const seen = new Set<string>()
  for (const [name, owner] of named) {
    if (seen.has(name)) refuse(owner)
    seen.add(name)
  }
}

/** The values of an enumeration in GraphQL, which may not be one of these three words. */
const wordPattern = /^(?!(?:true|false|null)$)[A-Za-z][A-Za-z0-9_]*$/

function requireValues(refuse: Refuse, place: string, spec: FieldSpec): void {
  const { schema, values = [], fallback } = spec
  const { pattern = '' } = schema as { pattern?: string } // of JSON Schema
  if (!isPattern(pattern)) refuse(place, 'its pattern is no regular expression.')
  requireBounds(refuse, place, spec)
  for (const word of values)
    if (!wordPattern.test(word)) refuse(place, `${JSON.stringify(word)} is no word like inProgress.`)
  if (new Set(values).size !== values.length) refuse(place, 'it names a word twice.')
  const value = fallback?.value ?? null
  if (value !== null && !isAllowed(value, spec))
    refuse(place, `its default ${JSON.stringify(value)} is not allowed.`)
}

function requireBounds(refuse: Refuse, place: string, { kind, schema }: FieldSpec): void {
  const bounds = boundsOf(schema)
  for (const [min, max] of Object.values(bounds))
    if (min > max) refuse(place, `its minimum ${min} is larger than its maximum ${max}.`)
  if (kind === 'money' && bounds.value.some((bound) => Math.abs(bound) > maxAmount))
    refuse(place, `an amount is exact up to ${maxAmount}.`)
}

interface Bounds {
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

function boundsOf(schema: object) {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema as Bounds // of JSON Schema
  const range = (min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY) => [min, max] as const
  return {
    value: range(minimum, maximum),
    length: range(minLength, maxLength),
    items: range(minItems, maxItems),
  }
}

function isAllowed(value: unknown, { kind, schema, values }: FieldSpec): boolean {
  switch (kind) {
    case 'enum':
      return values?.includes(String(value)) === true
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
    case 'money':
      return (
        typeof value === 'number' &&
        isWithin(value, boundsOf(schema).value) &&
        (kind === 'money' || Number.isInteger(value))
      )
    case 'text':
      return typeof value === 'string' && isWithin(value.length, boundsOf(schema).length)
    case 'date':
      return isDay(String(value))
    case 'timestamp':
      return isTimestamp(String(value))
    default:
      return true
  }
}

function isWithin(size: number, [min, max]: readonly [number, number]): boolean {
  return size >= min && size <= max
}

/** The name is a part of the path of a route and of the name of a GraphQL mutation. */
const actionPattern = /^[a-z][A-Za-z0-9]{0,39}$/
/**
 * Operations of every entity have these words in their names: an action `create` would be the mutation `createInvoice`
 * again, an action `get` or `change` another `getInvoice` or `changeInvoice` of the OpenAPI document.
 */
const namesOfOperations = new Set(['create', 'update', 'delete', 'get', 'change'])

const ownEvents = ['created', 'updated', 'deleted']

function requireKept(refuse: Refuse, { names, shape, actions, keeping }: CheckedDefinition): void {
  if (keeping === null) return
  const tables = [versionTableOf(names), versionFileTableOf(names)]
  if (tables.some((table) => table.length > maxNameLength))
    refuse('', `the table of its versions, ${tables[1]}, has too long a name.`)
  for (const { name, table } of shape.children)
    if (tables.includes(table)) refuse(name, `its history has the table ${table}.`)
  for (const [name, { event }] of actions)
    if (name === 'restore' || event === 'restored') refuse(name, 'deleted rows are restored by this name.')
}

function requireActions(refuse: Refuse, { shape, actions }: CheckedDefinition): void {
  for (const [name, { from, to }] of actions) {
    if (!actionPattern.test(name)) refuse(name, 'write the name of an action like send.')
    if (namesOfOperations.has(name)) refuse(name, 'every entity has this operation already.')
    for (const member of Object.keys({ ...from, ...to }))
      if (!shape.members.some((each) => each.name === member))
        refuse(name, `the action names no member ${member}.`)
  }
  const events = [...actions].map(([name, { event }]) => [event, name] as const)
  requireDifferent([...ownEvents.map((event) => [event, event] as const), ...events], (name) =>
    refuse(name, 'another event has the same name; give the action an event.'),
  )
}

function requirePayload(refuse: Refuse, { shape, actions, payload, keeping }: CheckedDefinition): void {
  const known = new Set(eventWords(actions, keeping))
  for (const [event, chosen] of Object.entries(payload)) {
    if (!known.has(event)) refuse('payload', `there is no event ${event}.`)
    const missing = chosen.find((name) => !shape.members.some((each) => each.name === name))
    if (missing !== undefined) refuse('payload', `${missing} is no member that an event can have.`)
  }
}

function requireComputed(refuse: Refuse, { shape, computed }: CheckedDefinition): void {
  const { members, children } = shape
  const fields = [
    ...members.map(({ field, spec }) => [field, spec] as const),
    ...children.map(({ name, spec }) => [name, spec] as const),
  ]
  for (const name of computed)
    if (!fields.some(([field, { presence }]) => field === name && presence === 'computed'))
      refuse(name, 'it has a function in compute, but is not computed.')
}
