/** Conditions of hints: parameters of the list of the entity, checked when it is defined. */
import { ServiceError } from '../../core/errors.ts'
import { notKnown } from '../../core/names.ts'
import type { ReadModel } from '../../database/read/read-model.ts'
import type { FilterParameter } from '../filter.ts'
import type { NamedField, NamedFields } from './named-fields.ts'

/** The filters of a list, by the name of their parameter. */
export type Filters = ReadonlyMap<string, FilterParameter>

/** @returns the parameters of the list @throws Error for a field, an operator or a value that it has not */
export function conditionOf(
  fields: NamedFields,
  filters: Filters,
  { place, given }: { place: string; given: Readonly<Record<string, unknown>> },
): Record<string, string> {
  const parameters = Object.entries(given).map(([key, value]) => {
    const [, name = key, operator = 'eq'] = /^(.*?)(?:\[(.*)\])?$/.exec(key) ?? []
    const field = fields.named(place, name)
    const parameter = parameterOf(fields, filters, { place: `${place}.${key}`, field, operator })
    const text = String(value)
    const fault = faultOf(field, { operator, text, filter: filters.get(parameter) })
    if (fault !== null) fields.refuse(`${place}.${key}`, fault)
    return [parameter, text] as const
  })
  return Object.fromEntries(parameters)
}

interface ComparedField {
  place: string
  field: NamedField
  operator: string
}

/** The filter for equality is named like its member, or has `[eq]` if another parameter has that name. */
function parameterOf(
  fields: NamedFields,
  filters: Filters,
  { place, field: { member, kind }, operator }: ComparedField,
): string {
  const names = [`${member}[${operator}]`, ...(operator === 'eq' ? [member] : [])]
  const parameter = names.find((name) => filters.has(name))
  if (parameter !== undefined) return parameter
  const known = [...filters.keys()].filter((name) => name.startsWith(`${member}[`))
  if (known.length === 0) return fields.refuse(place, `lists have no filter by ${kind}`)
  const operators = known.map((name) => name.slice(member.length + 1, -1))
  return fields.refuse(place, notKnown(operator, `no operator of ${kind}`, operators))
}

/** `today`, `now-1`: a number of days before or after. */
const relativeTime = /^(?:today|now)(?:[+-]\d{1,4})?$/

function faultOf(
  { kind, spec }: NamedField,
  { operator, text, filter }: { operator: string; text: string; filter: FilterParameter | undefined },
): string | null {
  if (operator === 'isNull' || kind === 'boolean')
    return text === 'true' || text === 'false' ? null : `${text} is no boolean`
  if ((kind === 'date' || kind === 'timestamp') && relativeTime.test(text)) return null
  if (spec.isUser === true && text === 'me') return null
  return wordFault(spec.values, text) ?? readFault(filter, text)
}

function wordFault(values: readonly string[] | undefined, text: string): string | null {
  const wrong = values && text.split(',').find((word) => !values.includes(word))
  return wrong === undefined ? null : notKnown(wrong, 'no word of it', values ?? [])
}

function readFault(filter: FilterParameter | undefined, text: string): string | null {
  try {
    // Filters by members need neither a context nor a model to read their value.
    filter?.read(text, undefined as never, undefined as unknown as ReadModel)
    return null
  } catch (error) {
    if (error instanceof ServiceError) return error.faults[0]?.reason ?? error.message
    throw error
  }
}
