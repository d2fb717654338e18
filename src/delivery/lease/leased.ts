import type { TenantData } from '../../database/data.ts'
import { lastLeaseEnd } from './sql.ts'

/** @returns when the last lease on a delivery of the tenant ends; `null` when nothing is being sent */
export function leasedUntil(data: TenantData, now: string): Promise<string | null> {
  return lastLeaseEnd(data, now)
}
