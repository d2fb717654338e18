/** Refuses changes of a tenant while it is moved, imported or erased. */
import type { Tenant } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import type { CatalogueData } from '../database/data.ts'
import { isMoveTarget } from '../database/relocation.ts'
import { findMove } from './sql.ts'

/** @param key the folded id @throws ServiceError `conflict` */
export async function refuseWhileMoved(catalogue: CatalogueData, key: string): Promise<void> {
  if ((await findMove(catalogue, key)) === null) return
  throw new ServiceError('conflict', 'The tenant is being moved to another database.')
}

/** Rows of the tenant that is not there yet would become visible to the new one. @throws ServiceError `conflict` */
export async function refuseWhileImported(catalogue: CatalogueData, key: string): Promise<void> {
  if (!(await isMoveTarget(catalogue.executor, key))) return
  throw new ServiceError('conflict', 'An import of this tenant is not finished.')
}

/** @throws ServiceError `conflict` */
export function refuseWhileErased(tenant: Tenant): void {
  if (tenant.isBeingErased) throw new ServiceError('conflict', 'The tenant is being erased.')
}
