/** Opens the databases for a command that acts with the rights of the operator. */
import type { Context } from '../core/context.ts'
import { operatorContext } from '../core/create-context.ts'
import type { Feature } from '../core/feature/feature.ts'
import { createLog } from '../core/log/log.ts'
import type { Config } from '../core/settings/config.ts'
import type { SigningKeys } from '../identity/key/signing-keys.ts'
import { openParts, prepareParts } from '../service/parts.ts'
import type { ServiceOptions } from '../service/service-options.ts'

/** The opened databases. Nothing is served or delivered, and no job runs. A service may run at the same time. */
export interface Operator {
  /** A context with the rights of the operator. */
  readonly context: Context
  readonly keys: SigningKeys
  /** All features of the service. */
  readonly features: readonly Feature[]
  close(): Promise<void>
}

/**
 * Opens and migrates the databases as `createService` does, beside a service in any process.
 * @throws AlreadyServed, DatabaseUnavailable, MigrationFailed
 */
export async function openOperator(config: Config, given: ServiceOptions = {}): Promise<Operator> {
  const options = { ...given, log: given.log ?? (await createLog(config)) }
  const parts = await openParts(config, options, 'operate')
  const { directory, features, feeds, keys, queueWorkers, shared } = parts
  const close = async (): Promise<void> => {
    feeds.stop()
    await queueWorkers.stop().finally(parts.close)
  }
  try {
    await prepareParts(parts)
    return { context: operatorContext(shared, await directory.host()), keys, features, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** @returns the exit code 0 */
export async function withOperator(
  config: Config,
  options: ServiceOptions,
  work: (operator: Operator) => Promise<void>,
): Promise<number> {
  const log = await createLog({ logLevel: 'silent' })
  const operator = await openOperator(config, { ...options, log })
  try {
    await work(operator)
    return 0
  } finally {
    await operator.close()
  }
}
