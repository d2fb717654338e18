/** The exports of the package: a service, and everything that the features in `src/catalog` and `src/orders` use. */

// These add the built-in events to `EventPayloads`.
import './identity/user/event.ts'
import './jobs/event.ts'
import './mail/event.ts'
import './orders/event.ts'
import './tenancy/event.ts'
import './tenancy/settings/event.ts'
import './webhooks/subscriptions/event.ts'
// These add the built-in tables to `CatalogueTables` and `TenantTables`.
import './core/audit/table.ts'
import './core/encryption/table.ts'
import './core/events/table.ts'
import './core/idempotency/table.ts'
import './core/queue/table.ts'
import './core/tenant/settings/table.ts'
import './core/tenant/table.ts'
import './entity/sequence-table.ts'
import './files/table.ts'
import './identity/api-key/table.ts'
import './identity/invitation/table.ts'
import './identity/key/table.ts'
import './identity/one-time-token/table.ts'
import './identity/passkey/table.ts'
import './identity/preference/table.ts'
import './identity/role/table.ts'
import './identity/saved-view/table.ts'
import './identity/second-factor/table.ts'
import './identity/session/table.ts'
import './identity/single-sign-on/client-key/table.ts'
import './identity/single-sign-on/table.ts'
import './identity/user/table.ts'
import './jobs/schedule/table.ts'
import './jobs/table.ts'
import './mail/table.ts'
import './operations/instance/table.ts'
import './operations/operation/table.ts'
import './operations/usage/table.ts'
import './tenancy/sign-up/table.ts'
import './tenancy/table.ts'
import './webhooks/incoming/table.ts'
import './webhooks/outgoing/table.ts'
import './webhooks/portal/table.ts'
import './webhooks/subscriptions/table.ts'

export { CannotListen } from './api/http/connection/listener.ts'
export { preconditionOf, validatorsOf } from './api/http/reply/condition.ts'
export { listReply } from './api/http/reply/json-list.ts'
export { reportUnknownNames } from './api/http/request/unknown-name.ts'
export { SchemaComponents } from './api/openapi/schema.ts'
export { category } from './catalog/category.ts'
export { product } from './catalog/product/product.ts'
export type { ApplicationConfig, DefinedConfig } from './cli/application-config.ts'
export { backUpAll as backUp, restoreAll as restore } from './cli/backup.ts'
export { runCommandLine } from './cli/command-line.ts'
export { defineConfig, loadApplication } from './cli/define-config.ts'
export { describeFailure } from './cli/failure.ts'
export { type Operator, openOperator } from './cli/with-operator.ts'
export {
  type ApplicationConsole,
  type ConsolePage,
  type ConsolePageOptions,
  type ConsolePanelOptions,
  consolePage,
  type PanelPlace,
} from './console/frame/options.ts'
export type { Attributes, AttributeValue } from './core/attributes.ts'
export type { AuditActions, AuditCatalogue } from './core/audit/action.ts'
export { type AuditEntry, recordAudit, recordTenantAudit } from './core/audit/audit.ts'
export {
  type Actor,
  type Context,
  type IncomingEvent,
  type JobAttempt,
  now,
  type Tenant,
} from './core/context.ts'
export { asOperator, asTenant } from './core/create-context.ts'
export { CannotDecrypt } from './core/encryption/secret-box.ts'
export {
  type ErrorKind,
  type Fault,
  faultAt,
  invalidField,
  type RefusalCode,
  refusal,
  ServiceError,
} from './core/errors.ts'
export type {
  EventAccess,
  EventCatalogue,
  EventPayloads,
  EventType,
  PayloadsOf,
} from './core/events/event-type.ts'
export { publish } from './core/events/publish.ts'
export type { FaultCode, FaultKind } from './core/fault-codes.ts'
export { type Action, type ActionCatalogue, action } from './core/feature/action.ts'
export { ApplicationError } from './core/feature/application-error.ts'
export type { ActionHints } from './core/feature/console-hints.ts'
export type {
  EntityDraft,
  EntityDraft as EntityDescription,
  FieldDraft as DescribedField,
  ScalarDraft,
} from './core/feature/entity-description.ts'
export type { Feature } from './core/feature/feature.ts'
export { type GraphQLPart, mutation, objectMutation } from './core/feature/field.ts'
export {
  type IntervalJob,
  type Job,
  type JobData,
  type JobOptions,
  job,
  type QueuedJob,
} from './core/feature/job.ts'
export type {
  MailBrand,
  MailCatalogue,
  MailContent,
  MailPart,
  MailTemplate,
  MailValues,
  MailValuesOf,
} from './core/feature/mail.ts'
export { code, link, mail, rows } from './core/feature/mail.ts'
export { JsonText, Reply, type Route, route } from './core/feature/route.ts'
export { type Schedule, type ScheduleOptions, schedule } from './core/feature/schedule.ts'
export type { ColumnSchemas } from './core/feature/stored-table.ts'
export { isUuid, newId } from './core/id.ts'
export type { LabelsByLanguage } from './core/language/language.ts'
export { CallerTime } from './core/limits/caller-time.ts'
export { createLog } from './core/log/log.ts'
export { multiply, sumOf, toAmount, toTenThousandths } from './core/money.ts'
export { defaultPageSize, PageQuery, placeAfter } from './core/page.ts'
export type { Permission, PermissionCatalogue, PermissionSet } from './core/permission.ts'
export type { Precondition } from './core/precondition.ts'
export { maxAmount, Nullable, Price, Text, Timestamp, Uuid } from './core/schema/schema.ts'
export { Count } from './core/schema/stored.ts'
export { type Config, ConfigError, loadConfig } from './core/settings/config.ts'
export type { Lease } from './core/tenant/database-state.ts'
export { forEachTenant, forTenant } from './core/tenant/each-tenant.ts'
export { tenantSetting } from './core/tenant/settings/cache.ts'
export { setting, type TenantSetting, type TenantSettingCatalogue } from './core/tenant/settings/setting.ts'
export { inCatalogue, inTransaction } from './core/transaction.ts'
export type { CatalogueTables } from './database/catalogue-tables.ts'
export { defer, deferBuilt, type TenantData } from './database/data.ts'
export type { EncryptedColumn } from './database/encrypted-rows.ts'
export {
  AlreadyServed,
  ConstraintViolation,
  DatabaseBusy,
  DatabaseUnavailable,
  type Dialect,
  isDuplicate,
  type TimeAllowance,
} from './database/executor.ts'
export { foldText } from './database/fold-text.ts'
export { jsonObject } from './database/json-object.ts'
export { type JsonPage, pageColumns, rowPage } from './database/json-page.ts'
export { lockedIn } from './database/locked-rows.ts'
export { type ColumnTypes, type Migration, MigrationFailed, MigrationRefused } from './database/migration.ts'
export { type Prepared, prepare, prepareEach } from './database/prepared.ts'
export type { Filter } from './database/read/filter.ts'
export {
  type ReadField,
  type ReadModel,
  type ReadModelOptions,
  readModel,
} from './database/read/read-model.ts'
export { scanAll, withinTime } from './database/scan.ts'
export { MigrationFileError, TablesDiffer } from './database/schema/failure.ts'
export { type Migrations, readMigrations } from './database/schema/read-migrations.ts'
export type { TenantColumn } from './database/scope.ts'
export { DamagedFile } from './database/sqlite/copy.ts'
export { sqliteStatistics } from './database/sqlite/statistics.ts'
export { creationOf } from './database/table.ts'
export type { TenantTables } from './database/tenant-tables.ts'
export type { EntityAccess } from './entity/access.ts'
export { type ColumnsOf, DeclaredFields } from './entity/declared.ts'
export { type Entity, entity } from './entity/entity.ts'
export type { EventsOf } from './entity/event-payload.ts'
export {
  boolean,
  date,
  Field,
  type InputOf,
  integer,
  json,
  listOf,
  many,
  money,
  oneOf,
  type ReferencedEntity,
  type RowOf,
  reference,
  sequence,
  text,
  timestamp,
} from './entity/field.ts'
export { never, reveal } from './entity/field-rules.ts'
export { file } from './entity/file.ts'
export { listQueryOf, listSelected } from './entity/list.ts'
export type { EntityOptions } from './entity/options.ts'
export { all, any, everyRow, like, type RowRule } from './entity/row-rules.ts'
export type { TableOf } from './entity/table-type.ts'
export { user } from './entity/user-reference.ts'
export { AdministratorInput, User, UserInput, UserUpdate } from './identity/user/schema.ts'
export {
  createUser,
  deleteUser,
  getUser,
  getUserByName,
  listUsers,
  updateUser,
} from './identity/user/user.ts'
export { type EnqueueOptions, enqueue } from './jobs/enqueue.ts'
export { sendMailOfChange as sendMail } from './jobs/mail.ts'
export type { NewMail } from './mail/send.ts'
export { MailRefused, type MailTransport, type OutgoingMail } from './mail/transport/transport.ts'
export { exportTenant } from './operations/archive/export.ts'
export { abandonImport, importTenant } from './operations/archive/import.ts'
export { eraseTenant } from './operations/erase/erase.ts'
export { abandonMove, moveTenant } from './operations/move/move.ts'
export { CopyDiffers } from './operations/rows/compare.ts'
export {
  cancelOrder,
  getOrder,
  listOrders,
  payOrder,
  placeOrder,
  updateOrder,
} from './orders/order.ts'
export { OrderInput, OrderUpdate } from './orders/schema.ts'
export type { AttributeFields } from './service/declared-attributes.ts'
export type { DefaultRoles, RoleDeclarations } from './service/declared-roles.ts'
export { createService, type Service } from './service/service.ts'
export type { ServiceOptions } from './service/service-options.ts'
export type { OptionalFeature } from './service/without.ts'
export { listTenants } from './tenancy/list.ts'
export { TenantInput, TenantUpdate } from './tenancy/schema.ts'
export { builtInSettings } from './tenancy/settings/built-in.ts'
export {
  getPublicTenantSettings,
  getTenantSettings,
  updateTenantSettings,
  type VersionedSettings,
} from './tenancy/settings/settings.ts'
export {
  createTenant,
  deactivateTenant,
  getTenant,
  getTenantDatabase,
  updateTenant,
} from './tenancy/tenant.ts'
