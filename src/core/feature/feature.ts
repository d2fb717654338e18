import type { EncryptedColumn } from '../../database/encrypted-rows.ts'
import type { Migration } from '../../database/migration.ts'
import type { RowRules } from '../../database/row-rule.ts'
import type { Table } from '../../database/table.ts'
import type { AuditCatalogue } from '../audit/action.ts'
import type { Context } from '../context.ts'
import type { EventCatalogue } from '../events/event-type.ts'
import type { Metric } from '../metric.ts'
import type { PermissionCatalogue } from '../permission.ts'
import type { TenantSettingCatalogue } from '../tenant/settings/setting.ts'
import type { ActionCatalogue } from './action.ts'
import type { BrowsedRows, HomePart } from './browsed.ts'
import type { EntityDraft } from './entity-description.ts'
import type { GraphQLPart } from './field.ts'
import type { FieldRules } from './field-rule.ts'
import type { FileNaming } from './file-naming.ts'
import type { HintedEntity } from './hinted-entity.ts'
import type { Job } from './job.ts'
import type { LiveSource } from './live-source.ts'
import type { MailCatalogue } from './mail.ts'
import type { Route } from './route.ts'
import type { Schedule } from './schedule.ts'
import type { ColumnSchemas } from './stored-table.ts'

/**
 * What a feature contributes to the service. A test enforces that the business features, `src/catalog` and
 * `src/orders`, use nothing that a feature of an application cannot use. The features of identity, tenancy, webhooks
 * and operations also use internal parts, which decide who a caller is and which rows belong to a tenant.
 */
export interface Feature {
  /** A singular noun. */
  name: string
  /** The name in the plural, for an entity. */
  plural?: string
  migrations?: readonly Migration[]
  /** Its tables, if it declares them. Either its own migrations create them, or those in the application's files. */
  tables?: readonly Table[]
  /** Schemas of values beyond the types of the columns: rows of an archive are validated like requests. */
  columns?: ColumnSchemas
  routes?: readonly Route[]
  /** How callers follow lists of its rows, if they can: they are told when a row of the list changes. */
  live?: LiveSource | null
  /** How the search over all entities and the home page read its rows, if they do. */
  browsed?: BrowsedRows | null
  /** The work that waits, and the steps of setting up, which the feature adds to the home page of the console. */
  home?: HomePart
  /** Its fields of the GraphQL schema; their names are unique among the features. */
  graphql?: GraphQLPart
  /**
   * Describes its rows for programs that do not know them in advance, such as the console; called at the first
   * request.
   */
  describe?: () => EntityDraft
  /** The tags of the languages in which its description has labels. */
  languages?: readonly string[]
  /**
   * References to other entities in the hints for the console. They are checked at the start, when all entities are
   * known.
   */
  hinted?: () => readonly HintedEntity[]
  /**
   * Called at the start. @returns the access rules of its tables: which rows a caller may read and change
   * @throws Error for a rule that names an unknown table or column
   */
  rowRules?: () => RowRules
  /** Whether the definition of an entity says which rows a caller may access. See `requireRows`. */
  statesRows?: boolean
  /** Notices for its author, which the log of a start and `tenantry check` show. */
  warnings?: () => readonly string[]
  /** The rules of members that not every caller may read or write, by the name of the entity. */
  fieldRules?: ReadonlyMap<string, FieldRules>
  /** The columns of its tables that contain ids of files. */
  fileNamings?: () => readonly FileNaming[]
  /**
   * Called by a job after a user of the context's tenant was deleted, with the authority of the tenant. It may be
   * called again for the same user.
   */
  forgetUser?: (context: Context, userId: string) => Promise<void>
  /** Called daily in the database of each tenant: removes superseded versions that have been kept long enough. */
  trimHistory?: (context: Context, signal: AbortSignal) => Promise<void>
  /** The permissions that its routes and fields require; their names are unique among the features. */
  permissions?: PermissionCatalogue
  /** The events that it publishes; their names are unique among the features. */
  events?: EventCatalogue
  /** The actions that it records in the audit; their names are unique among the features. */
  audited?: AuditCatalogue
  /** Actions that rules on incoming webhooks may run; their names are unique among the features. */
  actions?: ActionCatalogue
  /** The mails that it sends; their names are unique among the features. */
  mails?: MailCatalogue
  /** Work in the background: at intervals in every instance, or queued for a tenant. */
  jobs?: readonly Job[]
  /** Schedules, which enqueue jobs; their names are unique among the features. */
  schedules?: readonly Schedule[]
  /** Settings that every tenant has; their names are unique among the features. */
  tenantSettings?: TenantSettingCatalogue
  metrics?: readonly Metric[]
  /** Its encrypted columns, one for each purpose: re-encrypted when the master key changes. */
  encrypted?: readonly EncryptedColumn[]
  /** The purposes of its keyed digests. */
  digests?: readonly string[]
}
