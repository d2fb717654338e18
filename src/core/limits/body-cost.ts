/** What JSON costs the caller who sends it: nothing up to a size, beyond it more than the milliseconds that it takes. */

import { checkJsonBounds } from '../schema/json-bounds.ts'
import type { CostAccount } from './cost-limiter.ts'

const freeBytes = 16 * 1024
const bytesPerUnit = 16 * 1024
const membersPerUnit = 500

/**
 * To be called before it is parsed.
 * @param limitBytes the largest text that is accepted here
 * @param open the caller's account, asked for when something is to be paid
 * @throws ServiceError `invalid` for what costs too much at once; whatever `open` throws
 */
export function chargeJson(bytes: Uint8Array, limitBytes: number, open: () => CostAccount): void {
  const account = chargeBytes(bytes.length, open)
  const members = checkJsonBounds(bytes, limitBytes)
  account?.spendMs(members / membersPerUnit)
}

/**
 * @param times how often they are read or written
 * @returns the account, if something was paid
 */
export function chargeBytes(bytes: number, open: () => CostAccount, times = 1): CostAccount | null {
  if (bytes <= freeBytes) return null
  const account = open()
  account.spendMs((bytes / bytesPerUnit) * times)
  return account
}
