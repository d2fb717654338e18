import type { TenantData } from '../../../database/data.ts'
import { hasLease } from './sql.ts'

/** Whether a delivery of the tenant is held by a lease that has not ended. */
export function isBeingSent(data: TenantData, now: string): Promise<boolean> {
  return hasLease(data, now)
}
