/** What a request or a job carries. Verbs take it first and reach everything through it. */

import type { CatalogueData, TenantData } from '../database/data.ts'
import type { Database, Transaction } from '../database/executor.ts'
import type { Migration } from '../database/migration.ts'
import type { DatabaseTarget } from '../database/target.ts'
import type { DeclaredNames } from './declared-names.ts'
import type { Sealer } from './encryption/secret-box.ts'
import type { EventTypes } from './events/event-type.ts'
import type { IncomingEvent } from './feature/incoming-event.ts'
import type { CostLimiter } from './limits/cost-limiter.ts'
import type { ReplyMemory } from './limits/reply-memory.ts'
import type { FailureLog } from './log/failure-log.ts'
import type { Occasional } from './log/occasional.ts'
import type { Passwords } from './passwords.ts'

export const roles = ['Admin', 'User'] as const
export type Role = (typeof roles)[number]

export interface Actor {
  id: string
  userName: string
  tenantId: string
  credential: Credential
  roles: readonly Role[]
}

/** What the actor has shown: a token of a session, or nothing but the command line. */
export type Credential = { kind: 'session'; sessionId: string } | { kind: 'operator' }

export interface Tenant {
  id: string
  name: string
  subdomain: string | null
  plan: string | null
  isActive: boolean
  createdAt: string
  version: number
  /** Whether its rows live in a database of its own. */
  hasOwnDatabase: boolean
  /** Until then nothing is sent for it: it is about to be moved to another database. */
  pausedUntil: string | null
  /** What it has is going away, and it with it: nothing is written for it any more. */
  isBeingErased: boolean
}

/** The tenant of the operator: made with the schema, never deleted. */
export const hostTenantId = 'default'

/** A command that has its effect once, however often it is sent (the Idempotency-Key of a request). */
export interface Once {
  key: string
  /** Digest of the request: the same key with another one is refused. */
  fingerprint: string
  /** Set when the outcome was remembered rather than made. */
  replayed: boolean
}

export interface Logger {
  debug(detail: object, text: string): void
  info(detail: object, text: string): void
  warn(detail: object, text: string): void
  error(detail: object, text: string): void
}

/** @throws ServiceError `invalid` for another payload than the action takes; whatever the action throws */
export type RunAction = (context: Context, event: IncomingEvent) => Promise<void>

/** What all contexts of one service share. */
export interface Shared {
  /** The present moment; tests bring their own. */
  clock: () => Date
  log: Logger
  failures: FailureLog
  sealer: Sealer
  passwords: Passwords
  /** What callers may spend on costly reads. */
  costLimiter: CostLimiter
  /** What replies may hold until they are read. */
  replyMemory: ReplyMemory
  /** Of all features. */
  eventTypes: EventTypes
  /** The names of what is audited; of all features. */
  auditActions: ReadonlySet<string>
  /** What rules on incoming webhooks may call for; of all features. */
  actions: { readonly declared: DeclaredNames; find(name: string): RunAction | null }
  /** Which names that no feature declares are worth a line of the log. */
  unknownNames: Occasional
  /** Tenants, users, sessions, keys, audit. */
  catalogueDatabase: Database
  tenantDatabases: TenantDatabases
  /** Of all features, for both kinds of database. */
  migrations: readonly Migration[]
  /**
   * To be called after a commit that left something to be delivered in the database.
   * @param everywhere something that waited may go on
   */
  wakeDeliveries(tenantId: string, database: Database, everywhere?: boolean): void
  /** To be called after a commit of events of the tenant: somebody may follow them. */
  wakeFollowers(tenantId: string): void
  /**
   * To be called before a transaction in a tenant's own database: whatever it leaves to be delivered is then found
   * even after a crash. @returns `null` when that is known already @throws DatabaseUnavailable
   */
  markPendingTenant(tenantId: string): Promise<void> | null
}

/** Where a tenant's own database stands. `shared`: it has none, its rows are in the catalogue database. */
export interface DatabaseState {
  kind: 'shared' | 'sqlite' | 'postgres'
  status: 'pending' | 'ready' | 'failed'
  message: string | null
}

/** The databases that hold tenants' rows. */
export interface TenantDatabases {
  /**
   * Opens the tenant's database, and creates and migrates it first where that is due.
   * @returns a lease; the database stays open until it is given back
   * @throws ServiceError `unavailable` with Retry-After while it cannot be reached
   */
  lease(tenant: Tenant): Lease | Promise<Lease>
  /** Whether it is the one that has the tenant's rows. @throws ServiceError `unavailable` like `lease` */
  holds(tenant: Tenant, database: Database): Promise<boolean>
  state(tenant: Tenant): Promise<DatabaseState>
  /** @throws ServiceError `invalid` for a connection string that is not accepted or names the catalogue's database */
  check(connectionString: string): DatabaseTarget
  /** Where the shared database is. */
  readonly sharedTarget: DatabaseTarget
  /**
   * Opens a place of tenants' rows once more, created and migrated where that is due.
   * @param allowUnknownTables also with tables of features that are not in this process
   * @throws ServiceError `invalid` for one with tables of features that are not in this process; DatabaseUnavailable;
   *   Error for another catalogue
   */
  openDedicated(target: DatabaseTarget, allowUnknownTables?: boolean): Promise<DedicatedDatabase>
  /** Their files are in its folder `tenants`. */
  readonly dataDir: string
}

/** A handle for one task, to be closed by whoever has opened it. */
export interface DedicatedDatabase {
  readonly database: Database
  readonly target: DatabaseTarget
  /** The path of the file, or host and database; no user and no password. */
  readonly name: string
}

export interface Lease {
  readonly database: Database
  release(): void
}

export interface Context {
  readonly shared: Shared
  readonly requestId: string
  readonly clientAddress: string | null
  /** Aborted when the client that waits for the answer has disconnected; `null` for jobs. */
  readonly signal: AbortSignal | null
  readonly tenant: Tenant
  /** Whose share of the connections it uses; `null`: that of the service itself. */
  readonly owner: string | null
  readonly actor: Actor | null
  readonly once: Once | null
  /** Where the tenant's rows are. @throws ServiceError `unavailable` while its own database is not open */
  readonly tenantDatabase: Database
  /** The tenant's rows; inside a transaction, as it sees them. */
  readonly data: TenantData
  readonly catalogue: CatalogueData
  /** How many webhooks of our own have come back and led here; events that are published carry it on. */
  readonly hops: number
  /** What has begun the chain of webhooks that led here, the id of an event or of a receipt; `null` when none has. */
  readonly origin: string | null
  /** Present inside a transaction only. */
  readonly transaction: Transaction | null
  /** The database that the transaction is in. */
  readonly transactionDatabase: Database | null
}

export function now(context: Context): string {
  return context.shared.clock().toISOString()
}

/** @returns `null` for an actor who came without one */
export function sessionOf({ credential }: Actor): string | null {
  return credential.kind === 'session' ? credential.sessionId : null
}

/** The one role that reaches every tenant. */
export function isHostAdmin(actor: Actor | null): boolean {
  return actor !== null && actor.tenantId === hostTenantId && actor.roles.includes('Admin')
}
