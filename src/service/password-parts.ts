/** Creates the parts that hash passwords, and that compare new passwords with breached ones. */
import type { AddressGuard } from '../core/outgoing/address-guard.ts'
import type { Config } from '../core/settings/config.ts'
import { maxConcurrentHashes } from '../identity/password/argon2.ts'
import { HashQueue } from '../identity/password/hash-queue.ts'
import { RangeService } from '../identity/password/range-service.ts'
import type { LoggedOptions } from './service-options.ts'

export function passwordParts(
  { threadPoolSize, passwordRangeUrl }: Config,
  options: LoggedOptions,
  guard: AddressGuard,
) {
  const { hashLimits, log } = options
  const maxConcurrent = maxConcurrentHashes(threadPoolSize)
  const hashQueue = new HashQueue({ maxConcurrent, ...hashLimits }, log)
  return { hashQueue, ranges: new RangeService(guard, passwordRangeUrl, log) }
}
