/** The lists of products that are not those of every entity: the active ones, and the search of a part of the name. */
import type { Context } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { CallerTime } from '../../core/limits/caller-time.ts'
import { foldText } from '../../database/fold-text.ts'
import type { JsonPage } from '../../database/json-page.ts'
import { activeProductPage, foundProductPage, type ProductPageRange } from './sql.ts'

/** In UTF-16 units. No name contains a longer term. */
const maxTermLength = 1024

/** In the order of creation. */
export function listActiveProducts(context: Context, range: ProductPageRange): Promise<JsonPage | null> {
  return activeProductPage(context.data, range, new CallerTime(context))
}

/** @throws ServiceError `invalid` for a term that is empty, too long or no text */
export function searchProducts(
  context: Context,
  term: string,
  range: ProductPageRange,
): Promise<JsonPage | null> {
  if (term.length > maxTermLength) {
    throw new ServiceError('invalid', `The search term is longer than ${maxTermLength} characters.`)
  }
  const folded = foldText(term.trim())
  if (folded === '') throw new ServiceError('invalid', 'The search term is empty.')
  if (!term.isWellFormed() || term.includes('\0'))
    throw new ServiceError('invalid', 'The search term is not valid text.')
  return foundProductPage(context.data, folded, { range, time: new CallerTime(context) })
}
