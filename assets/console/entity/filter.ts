/** The filters of a list, as the address and the API write them: `status=paid`, `price[gte]=10`. */
import { isDay } from '../component/day-text.ts'
import { allFields, type EntityDescription, type FieldDescription, labelOf, wordsOf } from '../describe.ts'
import { localTime } from '../relative-time.ts'

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

/**
 * Parameters of the address that are not filters. For a field with such a name, the filter is written as `sort[eq]`.
 */
const reserved = new Set('sort search cursor columns view group layout peek month density'.split(' '))

/** @returns the name of the parameter in the API */
export function parameterOf({ field, operator }: Omit<ListFilter, 'value'>): string {
  return operator === 'eq' ? field.name : `${field.name}[${operator}]`
}

/** @returns the name of the parameter in the address of the page */
export function addressOf(filter: Omit<ListFilter, 'value'>): string {
  const parameter = parameterOf(filter)
  return reserved.has(parameter) ? `${parameter}[eq]` : parameter
}

/**
 * @returns the word and the days of a relative day: for `today-7`, `today` and -7. The service too allows four
 *   digits.
 */
export function relativeDay(value: string): [word: string | undefined, days: number] {
  const [, word, days = 0] = /^(today|now)([+-]\d{1,4})?$/.exec(value) ?? []
  return [word, Number(days)]
}

/** @returns the value for the API: `today`, `now` and `today-7` become the day or moment that they mean now */
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

/** @returns the day in the user's time zone, such as `2026-01-31` */
export function dayOf(moment: Date): string {
  return localTime(moment).slice(0, 10)
}

export function filtersIn(entity: EntityDescription, query: URLSearchParams): ListFilter[] {
  const fields = new Map(filteredFields(entity).map((field) => [field.name, field]))
  return [...query].flatMap(([parameter, value]) => {
    const [, name = '', operator = 'eq'] = /^(\w+)(?:\[(\w+)\])?$/.exec(parameter) ?? []
    const field = reserved.has(parameter) ? undefined : fields.get(name)
    return field !== undefined && isAccepted({ field, operator, value }) ? [{ field, operator, value }] : []
  })
}

/** A filter in the address that cannot be sent to the API, such as one of a removed field. */
export interface UselessFilter {
  parameter: string
  words: string
  /** Whether there is no such field, or the user may not read it; otherwise the value is not valid. */
  isGone: boolean
}

/** The number of letters of a value for which a chip has room. */
const maxShown = 40

export function uselessFilters(entity: EntityDescription, query: URLSearchParams): UselessFilter[] {
  const fields = new Map(filteredFields(entity).map((field) => [field.name, field]))
  const taken = new Set(filtersIn(entity, query).map(addressOf))
  const others = [...query].filter(
    ([parameter]) => !reserved.has(parameter) && !taken.has(canonical(parameter)),
  )
  return others.map(([parameter, value]) => {
    const field = fields.get(parameter.replace(/\[.*$/, ''))
    const words = field === undefined ? parameter : `${labelOf(field)} ${value.slice(0, maxShown)}`
    return { parameter, words, isGone: field === undefined }
  })
}

/** New values by the names of parameters; `null` removes a parameter. */
export type ParameterChanges = Readonly<Record<string, string | null>>

/** Changes parameters. A filter on equality is replaced in both of its forms, `name` and `name[eq]`. */
export function changeParameters(query: URLSearchParams, changes: ParameterChanges): void {
  for (const [parameter, value] of Object.entries(changes)) {
    if (!reserved.has(parameter)) query.delete(`${parameter}[eq]`)
    if (value === null) query.delete(parameter)
    else query.set(parameter, value)
  }
}

/** @returns the short name: `name` for `name[eq]` */
function canonical(parameter: string): string {
  const plain = parameter.replace(/\[eq\]$/, '')
  return reserved.has(plain) ? parameter : plain
}

/**
 * The operators that the service allows, but the form of filters does not offer. A view or an address may have them.
 */
const furtherByKind: Partial<Record<FieldDescription['kind'], readonly string[]>> = {
  text: ['nin', 'contains', 'startsWith', 'endsWith', 'ieq', 'iendsWith'],
  boolean: ['neq'],
  timestamp: [...equality, 'nin'],
}
const furtherOperators = ['nin']

const numberShape = /^-?\d{1,15}$/
const shapes: Partial<Record<FieldDescription['kind'], RegExp>> = {
  integer: numberShape,
  sequence: numberShape,
  money: /^-?\d{1,15}(\.\d+)?$/,
  boolean: /^(true|false)$/,
  reference: /^([\da-f-]{36}|me)$/i,
  timestamp: /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/,
}

/** Whether the service would accept the filter. An address that somebody wrote may contain anything. */
function isAccepted({ field, operator, value }: ListFilter): boolean {
  if (![...operatorsOf(field), ...(furtherByKind[field.kind] ?? furtherOperators)].includes(operator))
    return false
  if (operator === 'isNull') return shapes.boolean?.test(value) === true
  const values = operator === 'in' || operator === 'nin' ? value.split(',') : [value]
  return values.every((each) => isValue(field, each, values.length === 1))
}

function isValue(field: FieldDescription, value: string, isSingleValue: boolean): boolean {
  const { kind } = field
  if (kind === 'enum') return wordsOf(field).includes(value)
  const isRelative = isSingleValue && relativeDay(value)[0] !== undefined
  if (kind === 'date') return isRelative || isDay(value)
  if (kind === 'timestamp' && isRelative) return true
  return (
    shapes[kind]?.test(value) !== false &&
    (kind !== 'timestamp' || (isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value))))
  )
}
