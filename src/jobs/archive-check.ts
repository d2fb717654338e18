/** Checks the jobs of an archive: all tenants of a database share its queue. */
import { ServiceError } from '../core/errors.ts'
import type { TenantData } from '../database/data.ts'
import { findForeignJob } from './sql.ts'

/** @param data of an archive @throws ServiceError `invalid` for a job that no service can have written */
export async function refuseForeignJobs(data: TenantData): Promise<void> {
  const id = await findForeignJob(data)
  if (id !== null)
    throw new ServiceError('invalid', `The job ${id} in the archive has an invalid state or due time.`)
}
