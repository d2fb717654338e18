/** The filters of the two lists that only products have: active products, and products by a part of their name. */
import { refusal } from '../../core/errors.ts'
import { foldText } from '../../database/fold-text.ts'
import type { Filter } from '../../database/read/filter.ts'
import type { ReadField } from '../../database/read/read-model.ts'
import { product } from './product.ts'

/** The maximum length of a search term, in UTF-16 units. Names are shorter. */
const maxTermLength = 1024

export const activeProducts: Filter = {
  kind: 'compare',
  field: memberOf('isActive'),
  operator: 'eq',
  value: true,
}

/** Products whose name contains the term, ignoring case. @throws ServiceError `invalid` for a term that is empty, too long or no text */
export function productsNamed(term: string): Filter {
  if (term.length > maxTermLength) throw refusal('searchTooLong', { limit: maxTermLength })
  const value = foldText(term.trim())
  if (value === '') throw refusal('searchEmpty')
  if (!term.isWellFormed() || term.includes('\0')) throw refusal('searchNotText')
  return { kind: 'compare', field: memberOf('name'), operator: 'contains', value, ignoresCase: true }
}

function memberOf(name: string): ReadField {
  const field = product.model.fields.get(name)
  if (field === undefined) throw new Error(`Products have no ${name}.`)
  return field
}
