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

export function parameterOf({ field, operator }: ListFilter): string {
  return operator === 'eq' ? field.name : `${field.name}[${operator}]`
}

export function filtersIn(entity: EntityDescription, query: URLSearchParams): ListFilter[] {
  const fields = new Map(filteredFields(entity).map((field) => [field.name, field]))
  return [...query].flatMap(([parameter, value]) => {
    const [, name = '', operator = 'eq'] = /^(\w+)(?:\[(\w+)\])?$/.exec(parameter) ?? []
    const field = fields.get(name)
    return field === undefined ? [] : [{ field, operator, value }]
  })
}
