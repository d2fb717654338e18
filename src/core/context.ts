/** The context of a request or a job: the first argument of verbs such as `placeOrder`, with all that they use. */

import type { CatalogueData, InstallationData, TenantData } from '../database/data.ts'
import type { Database, DatabaseIdentity, Transaction } from '../database/executor.ts'
import type { Migration } from '../database/migration.ts'
import type { RowRules } from '../database/row-rule.ts'
import type { DatabaseTarget } from '../database/target.ts'
import type { AttributeSet, DeclaredAttributes } from './attributes.ts'
import type { AuditedAction } from './audit/action.ts'
import type { Credential } from './credential.ts'
import type { SecretBox } from './encryption/secret-box.ts'
import type { EventTypes } from './events/event-type.ts'
import type { EntityDescription } from './feature/entity-description.ts'
import type { FieldRules } from './feature/field-rule.ts'
import type { Mails } from './feature/mail.ts'
import type { StoredTables } from './feature/stored-table.ts'
import type { Files } from './file-store.ts'
import type { CostLimiter } from './limits/cost-limiter.ts'
import type { ReplyMemory } from './limits/reply-memory.ts'
import type { FailureLog } from './log/failure-log.ts'
import type { LogThrottle } from './log/log-throttle.ts'
import type { MailSettings } from './mail-settings.ts'
import { momentText } from './moment-text.ts'
import type { DeclaredNames } from './names.ts'
import type { Owners, RequiredAccess } from './owner.ts'
import type { BreachedPasswords, Passwords } from './passwords.ts'
import type { ApplicationRoles, PermissionSet, Permissions } from './permission.ts'
import type { DueKey } from './queue/due-key.ts'
import type { DatabaseState, DedicatedOptions, FaultyDatabase, Lease } from './tenant/database-state.ts'
import type { DeclaredSettings, SettingValues } from './tenant/settings/declared.ts'
import type { TenantUsage } from './tenant/usage.ts'
import type { Users } from './users.ts'

/** The user, API key or job that acts. */
export interface Actor {
  /** The id of a user or an API key. */
  id: string
  userName: string
  tenantId: string
  credential: Credential
  /** The names of built-in roles, and of roles of the tenant. */
  roles: readonly string[]
  /** The permissions that the roles, or the API key, grant at present. */
  permissions: PermissionSet
  /** The attributes of the user, or of the API key, at present. */
  attributes: AttributeSet
  /** The administrator of the host tenant who acts as this user, for support; `null` if nobody does. */
  impersonator: Impersonator | null
}

export interface Impersonator {
  id: string
  userName: string
}

export interface Tenant {
  id: string
  name: string
  subdomain: string | null
  plan: string | null
  isActive: boolean
  createdAt: string
  version: number
  hasOwnDatabase: boolean
  /** The end of a pause for a move of the tenant. Until then no delivery is sent for it. */
  pausedUntil: string | null
  /** Whether the tenant is being erased: its rows are no longer written. */
  isBeingErased: boolean
}

/** The id of the host tenant, which is the operator's. It is created with the schema and never deleted. */
export const hostTenantId = 'default'

/** The Idempotency-Key of a request: its command takes effect once, however often the request is sent. */
export interface Idempotency {
  key: string
  /** Digest of the request in canonical form: the key is refused with another request. */
  fingerprint: string
  /** Digest of the request as it was sent. Earlier versions stored this digest instead. */
  sentFingerprint(): string
  /** Set to `true` when the reply repeats the outcome of an earlier request. */
  replayed: boolean
}

export interface Logger {
  debug(detail: object, text: string): void
  info(detail: object, text: string): void
  warn(detail: object, text: string): void
  error(detail: object, text: string): void
}

/** An event that a provider has sent. */
export interface IncomingEvent<P = unknown> {
  receiptId: string
  /** The names are in lower case. */
  provider: string
  /** The id that the provider has given the event; `null` without one. */
  id: string | null
  type: string | null
  /** The parsed body, with the members that the action's schema names; `null` for a body that is not JSON. */
  payload: P
  /** ISO 8601 */
  receivedAt: string
}

/** @throws ServiceError `invalid` for a payload that does not match the action's schema; whatever the action throws */
export type RunAction = (context: Context, event: IncomingEvent) => Promise<void>

export interface RunnableAction {
  /** What the owner of a rule needs to run the action. */
  access: RequiredAccess
  run: RunAction
  /** @returns the payload as the action gets it @throws ServiceError `invalid` if it does not match its schema */
  read(payload: unknown): unknown
}

/** A job that a feature declares. Its data is JSON. */
export interface DeclaredJob {
  readonly name: string
  /** Seconds from each failed attempt to the next; `null` for the schedule of the settings. */
  readonly retrySeconds: readonly number[] | null
  readonly timeoutSeconds: number
  /** Runs with the rights of the operator, for the host tenant only. */
  readonly isForInstallation: boolean
  /** @returns why the data does not match the schema of the job; `null` if it does */
  faultsOf(data: unknown): string | null
  /** @param data that matches the schema */
  run(context: Context, data: unknown, attempt: JobAttempt): Promise<void>
}

export interface JobAttempt {
  /** The id of the job: the same for all attempts. */
  readonly jobId: string
  /** 1 for the first attempt. */
  readonly attempt: number
}

/** Loads the users and API keys that have enqueued jobs, with the rights that they have at present. */
export interface Callers {
  /** @param owner `user:` or `apiKey:` with an id @returns `null` if it is deleted, deactivated, revoked or expired */
  load(tenantId: string, owner: string): Promise<Actor | null>
}

/** The parts of a service that all its contexts share. */
export interface Shared {
  /** The present time; tests inject their own. */
  clock: () => Date
  /** The public address of the service, without a slash at its end. */
  baseUrl: string
  /** The delay in milliseconds within which every instance learns of a change. */
  changePropagationMs: number
  log: Logger
  failures: FailureLog
  secretBox: SecretBox
  passwords: Passwords
  breachedPasswords: BreachedPasswords
  files: Files
  /** How long a session may last after its sign-in. */
  sessionMaxMs: number
  /** The budget of callers for costly reads. */
  costLimiter: CostLimiter
  /** The memory of replies that are not read yet. */
  replyMemory: ReplyMemory
  /** The permissions of all features. */
  permissions: Permissions
  /** The access rules of all tables: which rows a caller may read and change. */
  rowRules: RowRules
  /** The rules of members (fields) that not every caller may read or change, by the name of the entity. */
  fieldRules: ReadonlyMap<string, FieldRules>
  /** Whether any caller does not see some members, because of rules of fields or of the targets of references. */
  hidesMembers: boolean
  /** The attributes and the roles that the application declares. */
  attributes: DeclaredAttributes
  applicationRoles: ApplicationRoles
  users: Users<Context>
  callers: Callers
  /** The rights of the users and API keys that own webhook subscriptions and rules. */
  owners: Owners
  /** Functions that describe the entities of all features, in a language. */
  entities: readonly ((language?: string) => EntityDescription)[]
  /** The tags of the languages in which something has a name. */
  languages: readonly string[]
  /** @returns the tables of all features; called when an archive of a tenant is imported */
  storedTables: () => StoredTables
  eventTypes: EventTypes
  /** The audited actions of all features by name, with descriptions for people. */
  auditActions: ReadonlyMap<string, AuditedAction>
  /** The actions of all features, for rules on incoming webhooks. */
  actions: { readonly declared: DeclaredNames; find(name: string): RunnableAction | null }
  /** The jobs of all features. */
  jobs: { find(name: string): DeclaredJob | null }
  /** The mails of all features. */
  mails: { readonly declared: Mails } & MailSettings
  /** Limits the log lines about names that no feature declares. */
  unknownNames: LogThrottle
  catalogueDatabase: Database
  tenantDatabases: TenantDatabases
  tenantSettings: TenantSettings
  tenantUsage: TenantUsage
  /** The migrations of all features, for both kinds of database. */
  migrations: readonly Migration[]
  /**
   * Wakes the workers of the queues after a commit that left work in the database.
   * @param scan whether work that was not due before, such as that of a disabled subscription, may be due now
   */
  wakeQueues(tenantId: string, database: Database, scan?: boolean): void
  /** Reports, after a commit, work in the database that becomes due at a moment. */
  noteDue(tenantId: string, database: Database, due: DueKey): void
  /** Wakes the subscribers to the tenant's events after a commit. */
  wakeSubscribers(tenantId: string): void
  /**
   * Marks the tenant as pending before a transaction in its own database: its deliveries are found even after a crash.
   * @returns `null` when the tenant is marked already @throws DatabaseUnavailable
   */
  markPendingTenant(tenantId: string): Promise<void> | null
}

/** The databases that hold tenants' rows. */
export interface TenantDatabases {
  /**
   * Opens the tenant's database, and creates and migrates it first if necessary.
   * @returns a lease; the database stays open until its release
   * @throws ServiceError `unavailable` with Retry-After while it cannot be reached
   */
  lease(tenant: Tenant): Lease | Promise<Lease>
  /** Whether the database holds the tenant's rows. @throws ServiceError `unavailable` like `lease` */
  holds(tenant: Tenant, database: Database): Promise<boolean>
  state(tenant: Tenant): Promise<DatabaseState>
  /** @throws ServiceError `invalid` for a connection string that is not accepted or names the catalogue's database */
  check(connectionString: string): DatabaseTarget
  readonly sharedTarget: DatabaseTarget
  /** The databases whose last opening has failed. */
  faults(): FaultyDatabase[]
  /**
   * Opens a separate handle on a database of tenants' rows, migrated if necessary.
   * @throws ServiceError `invalid` for one with tables of features that are not in this process; DatabaseLost;
   *   DatabaseUnavailable; Error for another catalogue
   */
  openDedicated(target: DatabaseTarget, options?: DedicatedOptions): Promise<DedicatedDatabase>
  /** The data folder; tenants' files are in its folder `tenants`. */
  readonly dataDir: string
}

/** The settings of tenants, which features declare. */
export interface TenantSettings {
  readonly declared: DeclaredSettings
  /** The values of the context's tenant by name, frozen; without waiting when they are cached. */
  read(context: Context): SettingValues | Promise<SettingValues>
  /** Called in the transaction of a change. Every instance uses the new values within a second after the commit. */
  changed(inside: Context): Promise<void>
}

/** A handle for one task. The opener closes it, with its database. */
export interface DedicatedDatabase extends AsyncDisposable {
  readonly database: Database
  readonly target: DatabaseTarget
  /** `null` for the shared database. */
  readonly identity: DatabaseIdentity | null
  /** The path of the file, or host and database, without user and password. */
  readonly name: string
}

export interface Context {
  readonly shared: Shared
  readonly requestId: string
  readonly clientAddress: string | null
  /** The header `User-Agent`, as the client wrote it. */
  readonly userAgent: string | null
  /** Aborted when the client has disconnected, or when a queued job has to end; `null` for other work. */
  readonly signal: AbortSignal | null
  readonly tenant: Tenant
  /** The tenant whose share of the connections it uses; `null`: that of the service. */
  readonly owner: string | null
  readonly actor: Actor | null
  /** Whether access rules restrict the rows to those of the caller; `tenant`: all rows (see `asTenant`). */
  readonly authority: 'caller' | 'tenant'
  readonly idempotency: Idempotency | null
  /** The database with the tenant's rows. @throws Error for a request whose route does not open it */
  readonly tenantDatabase: Database
  /** The tenant's rows; inside a transaction, as the transaction sees them. */
  readonly data: TenantData
  /** The rows of `catalogueTenantId` in the catalogue: its users, sessions, keys and audit. */
  readonly catalogue: CatalogueData
  /** The rows of `catalogue`, for reads that a request describes: by filters, orders and chosen members. */
  readonly catalogueRows: TenantData
  /** The tenant of the context, or the one that was given to `reaching`. */
  readonly catalogueTenantId: string
  readonly installationData: InstallationData
  /** How many webhooks of this service have led here one after the other. Events carry the number, to stop loops. */
  readonly hops: number
  /** The id of the event or receipt that began this chain of webhooks; `null` without a chain. */
  readonly origin: string | null
  /** The transaction in which the work runs, and its database; `null` outside of one. */
  readonly transaction: Transaction | null
  readonly transactionDatabase: Database | null
}

export function now(context: Context): string {
  return momentText(context.shared.clock())
}
