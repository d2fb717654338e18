import type { CatalogueData } from '../../database/data.ts'
import { ServiceError } from '../../errors.ts'
import { findMove } from './sql.ts'

/** @param key the folded id @throws ServiceError `conflict` */
export async function refuseWhileMoved(catalogue: CatalogueData, key: string): Promise<void> {
  if ((await findMove(catalogue, key)) === null) return
  throw new ServiceError('conflict', 'The tenant is being moved to another database.')
}
