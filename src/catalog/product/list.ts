/** The lists of products that are not those of every entity: the active ones, and the search of a part of the name. */
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Reply } from '../../core/feature/route.ts'
import { foldText } from '../../database/fold-text.ts'
import type { ComparisonOperator, Filter } from '../../database/read/filter.ts'
import type { Value } from '../../database/read/read-model.ts'
import { listQueryOf, listSelected } from '../../entity/list.ts'
import type { Values } from '../../entity/row.ts'
import { product } from './product.ts'
import { ProductSummary } from './schema.ts'

/** In UTF-16 units. No name contains a longer term. */
const maxTermLength = 1024

const { model } = product
const list = listQueryOf({ model, search: [] })
const found = new Set(Object.keys(ProductSummary.properties))
const isActive = condition('isActive', 'eq', true)

export const productQuery = list.schema

/** In the order of creation. */
export function listActiveProducts(context: Context, query: Values): Promise<Reply> {
  const reach = () => isActive
  return listSelected(context, query, list, { path: '/api/products/active', model, reach, isWhole: true })
}

/** @throws ServiceError `invalid` for a term that is empty, too long or no text */
export function searchProducts(context: Context, term: string, query: Values): Promise<Reply> {
  if (term.length > maxTermLength)
    throw new ServiceError('invalid', `The search term is longer than ${maxTermLength} characters.`)
  if (foldText(term.trim()) === '') throw new ServiceError('invalid', 'The search term is empty.')
  if (!term.isWellFormed() || term.includes('\0'))
    throw new ServiceError('invalid', 'The search term is not valid text.')
  const path = `/api/products/search/${encodeURIComponent(term)}`
  const reach = () => nameHas(term)
  return listSelected(context, query, list, { path, model, reach, listed: found, isWhole: true })
}

/** Ignoring case. */
export function nameHas(term: string): Filter {
  return { ...condition('name', 'contains', foldText(term.trim())), ignoresCase: true }
}

function condition(name: string, operator: ComparisonOperator, value: Value) {
  const field = model.fields.get(name)
  if (field === undefined) throw new Error(`Products have no ${name}.`)
  return { kind: 'compare', field, operator, value } as const
}
