/**
 * Finds the handle through which the rows of a read model are read: that of the tenant, the catalogue or all
 * tenants.
 */
import type { TenantData } from '../database/data.ts'
import type { ReadModel } from '../database/read/read-model.ts'
import type { Context } from './context.ts'
import { installation } from './installation.ts'

type Place = Pick<ReadModel, 'isInCatalogue' | 'isOfInstallation'>

export function rowsIn(context: Context, { isInCatalogue, isOfInstallation }: Place): TenantData {
  if (isOfInstallation === true)
    return installation(context, 'some lists are of all tenants, or of a table without a tenant').rows
  return isInCatalogue === true ? context.catalogueRows : context.data
}
