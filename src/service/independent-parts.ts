/** The parts that are created before the features, which use them. */

import { createLimiters } from '../api/http/rate-limit/limiter.ts'
import { Readiness } from '../api/http/readiness.ts'
import { RequestFigures } from '../api/http/request-figures.ts'
import { SecretBox } from '../core/encryption/secret-box.ts'
import { installation } from '../core/installation.ts'
import { BufferBudget, defaultMaxBufferedBytes } from '../core/limits/buffer-budget.ts'
import { LimitMonitor } from '../core/limits/limit-monitor.ts'
import { createAddressGuard } from '../core/outgoing/address-guard.ts'
import { addressPolicy } from '../core/outgoing/ip-address.ts'
import { PendingTenants } from '../core/queue/pending-tenants.ts'
import type { Config } from '../core/settings/config.ts'
import { TenantDirectory } from '../core/tenant/directory.ts'
import type { Database } from '../database/executor.ts'
import { ConnectionBudget } from '../database/postgres/budget.ts'
import type { TenantBudget } from '../database/postgres/connection-pool.ts'
import { createFiles } from '../files/create-files.ts'
import { SigningKeys } from '../identity/key/signing-keys.ts'
import { AccessTokens } from '../identity/session/access-token.ts'
import { RevokedSessions } from '../identity/session/revocation.ts'
import type { Declared } from './directories.ts'
import { createDirectories, credentials } from './directories.ts'
import { createMail } from './mail-parts.ts'
import { passwordParts } from './password-parts.ts'
import type { LoggedOptions } from './service-options.ts'

export type IndependentParts = ReturnType<typeof createIndependentParts>

/** @param declared called after the features are created */
export function createIndependentParts(
  config: Config,
  options: LoggedOptions,
  { database, declared }: { database: Database; declared: () => Declared },
) {
  const { log } = options
  const clock = options.clock ?? (() => new Date())
  const addresses = addressPolicy(config)
  const guard = createAddressGuard(addresses, options.receivers) // restricts requests to addresses that tenants choose
  const secretBox = new SecretBox(config.masterKey, config.previousMasterKeys)
  const keys = new SigningKeys(database, secretBox, clock)
  const directories = createDirectories(database, clock, declared)
  const catalogue = installation(database.executor, 'what the service caches is of every tenant')
  const limitMonitor = new LimitMonitor(log)
  return {
    ...directories,
    ...passwordParts(config, options, guard),
    addresses,
    buffers: new BufferBudget(options.maxBufferedBytes ?? defaultMaxBufferedBytes, limitMonitor),
    budget: connectionBudget(config),
    catalogue,
    clock,
    database,
    directory: new TenantDirectory(catalogue),
    files: createFiles(config),
    guard,
    keys,
    limiters: createLimiters(database.executor, config.rateLimits, options),
    limitMonitor,
    log,
    mail: createMail(config, options),
    pendingTenants: new PendingTenants(database, clock),
    readiness: new Readiness(log),
    requestFigures: new RequestFigures(),
    revoked: new RevokedSessions(credentials(database), clock),
    secretBox,
    tokens: new AccessTokens(keys, config.baseUrl, clock, directories),
  }
}

function connectionBudget({ tenantDatabaseConnections: maxConnections }: Config): TenantBudget {
  return new ConnectionBudget({ maxConnections, waitMs: 5000 })
}
