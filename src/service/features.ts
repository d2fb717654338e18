/** The built-in features, with the parts that they need. */
import { auditFeature } from '../api/audit/feature.ts'
import { eventFeature } from '../api/event/feature.ts'
import { homeFeature } from '../api/home/feature.ts'
import { createFixedWindow } from '../api/http/rate-limit/fixed-window.ts'
import type { Readiness } from '../api/http/readiness.ts'
import type { RequestFigures } from '../api/http/request-figures.ts'
import { searchFeature } from '../api/search/feature.ts'
import { encryptionFeature } from '../core/encryption/feature.ts'
import type { Feature } from '../core/feature/feature.ts'
import type { FileNaming } from '../core/feature/file-naming.ts'
import type { Files } from '../core/file-store.ts'
import { idempotencyFeature } from '../core/idempotency/feature.ts'
import type { AddressGuard } from '../core/outgoing/address-guard.ts'
import type { AddressPolicy } from '../core/outgoing/ip-address.ts'
import type { PendingTenants } from '../core/queue/pending-tenants.ts'
import type { Config } from '../core/settings/config.ts'
import type { Database } from '../database/executor.ts'
import type { TenantBudget } from '../database/postgres/connection-pool.ts'
import { entityFeature } from '../entity/feature.ts'
import { historySweeps } from '../entity/history/sweep.ts'
import { fileFeature } from '../files/feature.ts'
import { accountPages } from '../identity/account-link.ts'
import { accountPageFeature } from '../identity/account-page/feature.ts'
import type { ApiKeyDirectory } from '../identity/api-key/directory.ts'
import { apiKeyFeature } from '../identity/api-key/feature.ts'
import { codeExchangeFeature } from '../identity/code-exchange/feature.ts'
import { emailAddressFeature } from '../identity/email-address/feature.ts'
import { impersonationFeature } from '../identity/impersonation/feature.ts'
import { initializationFeature } from '../identity/initialization/feature.ts'
import { invitationFeature } from '../identity/invitation/feature.ts'
import { keyFeature } from '../identity/key/feature.ts'
import type { SigningKeys } from '../identity/key/signing-keys.ts'
import { oneTimeTokenFeature } from '../identity/one-time-token/feature.ts'
import { type Associations, associatedOrigins } from '../identity/passkey/association/association.ts'
import { passkeyFeature } from '../identity/passkey/feature.ts'
import { relyingParty } from '../identity/passkey/relying-party.ts'
import type { HashQueue } from '../identity/password/hash-queue.ts'
import type { RangeService } from '../identity/password/range-service.ts'
import { preferenceFeature } from '../identity/preference/feature.ts'
import { recoveryFeature } from '../identity/recovery/feature.ts'
import type { PasswordRecovery } from '../identity/recovery/recovery.ts'
import { defaultRoleSetting } from '../identity/role/default-role.ts'
import { roleFeature } from '../identity/role/feature.ts'
import { savedViewFeature } from '../identity/saved-view/feature.ts'
import { secondFactorFeature } from '../identity/second-factor/feature.ts'
import type { AccessTokens } from '../identity/session/access-token.ts'
import { failureMemorySeconds, SignInBackoff } from '../identity/session/backoff.ts'
import { sessionFeature } from '../identity/session/feature.ts'
import { singleSignOnFeature } from '../identity/single-sign-on/feature.ts'
import { Providers } from '../identity/single-sign-on/provider.ts'
import { userFeature } from '../identity/user/feature.ts'
import type { OwnDeadJobs } from '../jobs/metrics/dead/count.ts'
import { operationsFeature } from '../operations/feature.ts'
import { orderFeature } from '../orders/feature.ts'
import { brandFeature } from '../tenancy/brand/feature.ts'
import { tenantFeature } from '../tenancy/feature.ts'
import { signUpFeature } from '../tenancy/sign-up/feature.ts'
import type { QueueStatistics } from '../webhooks/outgoing/metrics/statistics.ts'
import { pauseOwned } from '../webhooks/pause.ts'
import { portalFeature } from '../webhooks/portal/feature.ts'
import { subscriptionFeature } from '../webhooks/subscriptions/feature.ts'
import { entityFeatures } from './built-in-entities.ts'
import type { DefaultRoles } from './declared-roles.ts'
import { featuresWithout, type OptionalFeature } from './without.ts'

export interface FeatureParts {
  database: Database
  clock: () => Date
  keys: SigningKeys
  tokens: AccessTokens
  apiKeys: ApiKeyDirectory
  addresses: AddressPolicy
  guard: AddressGuard
  /** The settings of which sign-ins at identity providers need the public address and the allowed origins. */
  config: Pick<
    Config,
    | 'accountUrl'
    | 'baseDomain'
    | 'baseUrl'
    | 'corsOrigins'
    | 'passkeyOrigins'
    | 'passkeyRelatedOrigins'
    | 'passkeyAndroidApps'
    | 'passkeyAppleApps'
    | 'dataDir'
    | 'defaultRole'
    | 'isDefaultRoleSet'
    | 'filesUrl'
    | 'production'
    | 'reservedSubdomains'
    | 'setupToken'
    | 'signUp'
  >
  readiness: Readiness
  requestFigures: RequestFigures
  /** Counts of deliveries. */
  statistics: QueueStatistics
  ownDeadJobs: OwnDeadJobs
  pendingTenants: PendingTenants
  delivery: Feature
  incoming: Feature
  jobs: Feature
  mails: Feature
  budget: TenantBudget
  hashQueue: HashQueue
  ranges: RangeService
  recovery: PasswordRecovery
  files: Files
  /** The features of the application. */
  own: readonly Feature[]
  /** The roles that the application declares for users whose creator names none. */
  defaultRoles: DefaultRoles
  /** The features that the application leaves out. */
  without: readonly OptionalFeature[] | undefined
}

/** @throws ConfigError for features that cannot be left out */
export function builtInFeatures(parts: FeatureParts): Feature[] {
  const has = featuresWithout(parts.without)
  const entities = entityFeatures(has)
  const { baseDomain, baseUrl, corsOrigins: origins, passkeyOrigins } = parts.config
  const { signUp: mode, reservedSubdomains: reserved } = parts.config
  const { defaultRoles } = parts
  const defaultRole = defaultRoleSetting(initialDefault(parts))
  const initialRole = defaultRoles.singleSignOn ?? null
  const associations = associationsOf(parts.config)
  const further = [...passkeyOrigins, ...associatedOrigins(associations)]
  const party = relyingParty({ baseUrl, baseDomain, origins: [...origins, ...further] })
  const pages = accountPages(parts.config)
  const { guard, database, keys, tokens, apiKeys, addresses, budget, hashQueue, ranges, files } = parts
  const { delivery, incoming, jobs, mails, recovery } = parts
  const limiter = (name: string, requests: number, seconds: number) =>
    createFixedWindow(database.executor, { name, requests, seconds })
  const failures = limiter('failure', Number.MAX_SAFE_INTEGER, failureMemorySeconds)
  const backoff = new SignInBackoff(failures, limiter('wait', 1, 1))
  const features = [
    tenantFeature(budget, reserved),
    brandFeature(pages),
    signUpFeature({ mode, pages, reserved }),
    operationsFeature(parts),
    userFeature(backoff, hashQueue, ranges),
    roleFeature(defaultRole),
    apiKeyFeature(apiKeys),
    sessionFeature({ tokens, backoff }),
    impersonationFeature(tokens),
    oneTimeTokenFeature,
    secondFactorFeature(tokens),
    passkeyFeature({ tokens, party }, associations),
    recoveryFeature(recovery),
    invitationFeature({ pages, defaultRole }),
    emailAddressFeature(pages),
    preferenceFeature,
    savedViewFeature,
    codeExchangeFeature(tokens),
    accountPageFeature(pages, { recovery, backoff, party, baseUrl, origins }),
    singleSignOnFeature(
      { providers: new Providers(guard, addresses), baseUrl, origins, initialRole, defaultRole, pauseOwned },
      guard,
    ),
    keyFeature(keys, tokens),
    auditFeature,
    initializationFeature(parts.config),
    encryptionFeature,
    idempotencyFeature,
    eventFeature,
    { ...entityFeature, jobs: historySweeps([...entities, ...parts.own]) },
    fileFeature(files, fileNamingsOf([...entityFeatures(), ...parts.own])),
    mails,
    ...entities,
    ...(has('orders') ? [orderFeature] : []),
    subscriptionFeature(addresses),
    portalFeature(baseUrl),
    delivery,
    incoming,
    jobs,
  ]
  return [...features, ...overviewOf([...features, ...parts.own], baseUrl)]
}

/** The features that read those of all others: the search and the home page. */
function overviewOf(features: readonly Feature[], baseUrl: string): Feature[] {
  const rows = features.flatMap(({ browsed }) => browsed ?? [])
  const homes = features.flatMap(({ home }) => home ?? [])
  return [searchFeature(rows), homeFeature({ rows, homes }, baseUrl)]
}

function fileNamingsOf(features: readonly Feature[]): FileNaming[] {
  return features.flatMap(({ fileNamings }) => fileNamings?.() ?? [])
}

/** The role of an invitation that names none. The setting of the operator comes before that of the application. */
function initialDefault({ config, defaultRoles }: FeatureParts): string {
  return config.isDefaultRoleSet ? config.defaultRole : (defaultRoles.invitation ?? config.defaultRole)
}

function associationsOf(config: FeatureParts['config']): Associations {
  return {
    androidApps: config.passkeyAndroidApps,
    appleApps: config.passkeyAppleApps,
    relatedOrigins: config.passkeyRelatedOrigins,
  }
}
