/** The filters of a list, as the address and the API write them: `status=paid`, `price[gte]=10`. */
import type { EntityDescription, FieldDescription } from '../describe.ts'
import { allFields } from '../describe.ts'

export interface ListFilter {
  field: FieldDescription
  operator: string
  value: string
}

const equality = ['eq', 'neq', 'in']
const order = ['gt', 'gte', 'lt', 'lte']

const operatorsByKind: Record<FieldDescription['kind'], readonly string[]> = {
  text: ['icontains', 'istartsWith', 'eq', 'neq', 'in'],
  integer: [...equality, ...order],
  money: [...equality, ...order],
  boolean: ['eq'],
  date: [...equality, ...order],
  timestamp: order,
  enum: equality,
  reference: equality,
  json: [],
  sequence: [...equality, ...order],
  many: [],
}

export function operatorsOf({ kind, isNullable }: FieldDescription): readonly string[] {
  const own = operatorsByKind[kind]
  return isNullable && own.length > 0 ? [...own, 'isNull'] : own
}

export function filteredFields(entity: EntityDescription): FieldDescription[] {
  return allFields(entity).filter((field) => operatorsOf(field).length > 0)
}

/** Parameters of the address that are no filters: one on a field of such a name has its operator. */
const reserved = new Set(['sort', 'search', 'cursor', 'columns', 'view', 'group', 'layout', 'peek', 'month'])

/** The name of the parameter as the list takes it. */
export function parameterOf({ field, operator }: Omit<ListFilter, 'value'>): string {
  return operator === 'eq' ? field.name : `${field.name}[${operator}]`
}

/** The name of the parameter as the address has it. */
export function addressOf(filter: Omit<ListFilter, 'value'>): string {
  const parameter = parameterOf(filter)
  return reserved.has(parameter) ? `${parameter}[eq]` : parameter
}

/** `today-7` is the word `today` and the days `-7`. */
export function relativeDay(value: string): [word: string | undefined, days: number] {
  const [, word, days = 0] = /^(today|now)([+-]\d+)?$/.exec(value) ?? []
  return [word, Number(days)]
}

/** What `today`, `now` and `today-7` are at the moment, as the service takes them. */
export function requestedValue({ field, value }: ListFilter, now = new Date()): string {
  const [word, days] = relativeDay(value)
  if (word === undefined || (field.kind !== 'date' && field.kind !== 'timestamp')) return value
  const moment = new Date(now)
  moment.setDate(moment.getDate() + days)
  if (field.kind === 'date') return dayOf(moment)
  if (word === 'today') moment.setHours(0, 0, 0, 0)
  else moment.setSeconds(0, 0)
  return moment.toISOString()
}

/** The day of the user, such as `2026-01-31`. */
export function dayOf(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 10)
}

/** Filters on fields that are gone, or that the user does not read. */
export function unknownFilters(entity: EntityDescription, query: URLSearchParams): string[] {
  const known = new Set(filteredFields(entity).map(({ name }) => name))
  return [...query.keys()].filter((name) => !reserved.has(name) && !known.has(name.replace(/\[.*$/, '')))
}

export function filtersIn(entity: EntityDescription, query: URLSearchParams): ListFilter[] {
  const fields = new Map(filteredFields(entity).map((field) => [field.name, field]))
  return [...query].flatMap(([parameter, value]) => {
    const [, name = '', operator = 'eq'] = /^(\w+)(?:\[(\w+)\])?$/.exec(parameter) ?? []
    const field = reserved.has(parameter) ? undefined : fields.get(name)
    return field === undefined ? [] : [{ field, operator, value }]
  })
}
