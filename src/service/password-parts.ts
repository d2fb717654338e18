/** Creates the parts that hash passwords, compare new ones with breached ones, and send links for forgotten ones. */
import type { AddressGuard } from '../core/outgoing/address-guard.ts'
import type { Config } from '../core/settings/config.ts'
import { accountPages } from '../identity/account-link.ts'
import { maxConcurrentHashes } from '../identity/password/argon2.ts'
import { HashQueue } from '../identity/password/hash-queue.ts'
import { RangeService } from '../identity/password/range-service.ts'
import { PasswordRecovery } from '../identity/recovery/recovery.ts'
import type { LoggedOptions } from './service-options.ts'

export function passwordParts(config: Config, options: LoggedOptions, guard: AddressGuard) {
  const { threadPoolSize, passwordRangeUrl } = config
  const { hashLimits, log } = options
  const maxConcurrent = maxConcurrentHashes(threadPoolSize)
  const hashQueue = new HashQueue({ maxConcurrent, ...hashLimits }, log)
  const recovery = new PasswordRecovery(accountPages(config))
  return { hashQueue, ranges: new RangeService(guard, passwordRangeUrl, log), recovery }
}
