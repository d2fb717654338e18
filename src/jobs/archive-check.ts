/**
 * Checks the jobs in the archive of a tenant, before they are imported. The tenants of a database share its queue: a
 * forged job could disturb the jobs of others.
 */
import { ServiceError } from '../core/errors.ts'
import type { TenantData } from '../database/data.ts'
import { findForeignJob } from './sql.ts'

/** @param data the rows of the archive @throws ServiceError `invalid` for a job that no service can have written */
export async function refuseForeignJobs(data: TenantData): Promise<void> {
  const id = await findForeignJob(data)
  if (id !== null)
    throw new ServiceError('invalid', `The job ${id} in the archive has an invalid state or due time.`)
}
