/**
 * Charges callers cost units for JSON that they send, before it is parsed. Bodies up to 16 KiB are free. A larger body
 * costs more than the time of parsing it, so that sending large bodies does not pay for an attacker.
 */

import { checkJsonBounds } from '../schema/json-bounds.ts'
import type { CostAccount } from './cost-limiter.ts'

const freeBytes = 16 * 1024
const bytesPerUnit = 16 * 1024
const membersPerUnit = 500

/**
 * Charges the caller before the text is parsed.
 * @param limitBytes the largest text that is accepted
 * @param open opens the caller's account, when there is something to charge
 * @throws ServiceError `invalid` for text that is too costly; whatever `open` throws
 */
export function chargeJson(bytes: Uint8Array, limitBytes: number, open: () => CostAccount): void {
  const account = chargeBytes(bytes.length, open)
  const members = checkJsonBounds(bytes, limitBytes)
  account?.spendMs(members / membersPerUnit)
}

/**
 * Charges the caller for bytes.
 * @param times how often the bytes are read or written
 * @returns the account, if something was charged
 */
export function chargeBytes(bytes: number, open: () => CostAccount, times = 1): CostAccount | null {
  if (bytes <= freeBytes) return null
  const account = open()
  account.spendMs((bytes / bytesPerUnit) * times)
  return account
}
