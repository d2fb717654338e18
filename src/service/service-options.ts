/** Options of a service besides its configuration. */
import type { Logger } from 'pino'
import type { ApplicationConsole } from '../console/frame/options.ts'
import type { Feature } from '../core/feature/feature.ts'
import type { BodyMemoryBounds } from '../core/limits/body-memory.ts'
import type { LiveLimits, SubscriptionLimits, WebSocketLimits } from '../core/limits/client-limits.ts'
import type { CostPolicies } from '../core/limits/cost-limiter.ts'
import type { ReplyMemoryBounds } from '../core/limits/reply-memory.ts'
import type { ReceiverOptions } from '../core/outgoing/address-guard.ts'
import type { Migrations } from '../database/schema/read-migrations.ts'
import type { PasswordCost } from '../identity/password/argon2.ts'
import type { HashLimits } from '../identity/password/hash-queue.ts'
import type { JobLimits } from '../jobs/queue/limiter.ts'
import type { MailLimits } from '../mail/queue/limiter.ts'
import type { MailTransport } from '../mail/transport/transport.ts'
import type { DeliveryLimits } from '../webhooks/outgoing/queue/limiter.ts'
import type { AttributeFields } from './declared-attributes.ts'
import type { DefaultRoles, RoleDeclarations } from './declared-roles.ts'
import type { OptionalFeature } from './without.ts'

/** Options with a log, which is required to assemble the parts. */
export type LoggedOptions = ServiceOptions & { log: Logger }

export interface ServiceOptions {
  /** Features of the application, besides the built-in ones. */
  features?: readonly Feature[]
  /** The migrations that create the tables which the features declare: what `readMigrations` returns. */
  migrations?: Migrations
  /** The attributes of users and API keys, which rules of rows may name: `{ region: text() }`. */
  attributes?: AttributeFields
  /** Roles that every tenant has beside its own: the permissions of each by its name. */
  roles?: RoleDeclarations
  /** The roles that users get whose creator names none. */
  defaultRoles?: DefaultRoles
  /**
   * Built-in features that the service does not have: no routes, fields, events, actions or tables of theirs. Tables that
   * a database has already stay as they are.
   */
  without?: readonly OptionalFeature[]
  /** Pages and panels of the application in the console. */
  console?: ApplicationConsole
  /** Whether every entity among the features has to state `access.rows`. */
  requireRows?: boolean
  /** Returns the current time. Tests pass their own. */
  clock?: () => Date
  log?: Logger
  /** The cost of a password hash; a default applies if absent. Tests use a low one. */
  passwordCost?: PasswordCost
  /** Time-outs of PostgreSQL; absent members have defaults. Tests use shorter ones. */
  databaseTimeouts?: { connectTimeoutMs?: number; statementTimeoutMs?: number; lockTimeoutMs?: number }
  /** Limits of concurrent and of waiting password hashes; absent members have defaults. */
  hashLimits?: Partial<HashLimits>
  /** The name servers and certificate authorities for receivers of webhooks; a default applies if absent. */
  receivers?: ReceiverOptions
  /** Budgets of callers for costly reads, and the time of one; absent members have defaults. */
  costPolicies?: Partial<CostPolicies>
  /** Requests of a client within the period of the policy `strict`; five if absent. Tests allow more. */
  strictRequests?: number
  /** Requests of a client within the period of the policy `mail`; a default applies if absent. */
  mailRequests?: number
  /** Limits of the memory of replies until clients read them; absent members have defaults. */
  replyMemory?: Partial<ReplyMemoryBounds>
  /** Limits of the memory of incomplete request bodies; absent members have defaults. */
  bodyMemory?: Partial<BodyMemoryBounds>
  /** Limits of concurrent deliveries; absent members have defaults. */
  deliveryLimits?: Partial<DeliveryLimits>
  /** Limits of concurrent jobs; absent members have defaults. */
  jobLimits?: Partial<JobLimits>
  /** Limits of mails; absent members have defaults. */
  mailLimits?: Partial<MailLimits>
  /** What takes mails, instead of the mail server of the settings. Tests collect them. */
  mailTransport?: MailTransport
  /** The certificate authority of the mail server, in PEM; those of Node.js if absent. */
  mailServerCa?: string
  /** How long a stop waits for deliveries and jobs in progress. */
  deliveryStopWithinMs?: number
  /** Limits of WebSockets; absent members have defaults. */
  webSocketLimits?: Partial<WebSocketLimits>
  /** Limits of GraphQL subscriptions; absent members have defaults. */
  subscriptionLimits?: Partial<SubscriptionLimits>
  /** Limits on streams of followed lists; absent members have defaults. */
  liveLimits?: Partial<LiveLimits>
  /** The maximum of bytes buffered for slow clients of WebSockets and subscriptions; a default applies if absent. */
  maxBufferedBytes?: number
  /** The time after which a client that reads too slowly is disconnected; a default applies if absent. */
  stalledMs?: number
  /** How often subscriptions poll for missed events; a default applies if absent. */
  subscriptionSweepMs?: number
  /** How long a stop waits for the next request on used connections; a default applies if absent. */
  lingerMs?: number
  /** How often an idle client gets a keep-alive message; a default applies if absent. */
  keepAliveMs?: number
  /** How long moves and erasures wait until every instance has learned of them; a default applies if absent. */
  changePropagationMs?: number
  /** How long metrics are cached; a default applies if absent. */
  metricsMaxAgeMs?: number
}
