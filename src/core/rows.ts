/** The handle through which the rows of a model are read. */
import type { TenantData } from '../database/data.ts'
import type { ReadModel } from '../database/read/read-model.ts'
import type { Context } from './context.ts'

export function rowsIn(context: Context, { isInCatalogue }: Pick<ReadModel, 'isInCatalogue'>): TenantData {
  return isInCatalogue === true ? context.catalogueRows : context.data
}
