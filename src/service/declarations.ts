/** Collects what all features and the application declare, and checks it as a whole. */
import { declaredFrames } from '../console/frame/frame.ts'
import { auditedActions } from '../core/audit/action.ts'
import { EventTypes } from '../core/events/event-type.ts'
import { Actions } from '../core/feature/action.ts'
import type { Feature } from '../core/feature/feature.ts'
import { Mails } from '../core/feature/mail.ts'
import { declaredAttributes, requireAttributes } from './declared-attributes.ts'
import { declaredEntities, declaredLanguages } from './declared-entities.ts'
import { declaredHiding } from './declared-field-rules.ts'
import { requireHints } from './declared-hints.ts'
import { declaredPermissions } from './declared-permissions.ts'
import { declaredRoles, requireDefaults } from './declared-roles.ts'
import { declaredRowRules } from './declared-row-rules.ts'
import { storedTables } from './declared-tables.ts'
import type { ServiceOptions } from './service-options.ts'

/** @throws Error for a name that two features declare; ApplicationError for a fault of the application */
export function declarationsOf(features: readonly Feature[], options: ServiceOptions) {
  const { attributes: fields, roles, defaultRoles } = options
  const permissions = declaredPermissions(features)
  const attributes = declaredAttributes(fields)
  requireAttributes(features, attributes)
  requireDefaults(defaultRoles, roles)
  requireHints(features)
  const entities = features.flatMap(({ name, describe }) => (describe === undefined ? [] : [name]))
  return {
    frames: declaredFrames(options.console, { permissions, entities }),
    permissions,
    attributes,
    applicationRoles: declaredRoles(roles, permissions),
    rowRules: declaredRowRules(features),
    ...declaredHiding(features),
    entities: declaredEntities(features),
    languages: declaredLanguages(features),
    storedTables: () => storedTables(features),
    eventTypes: new EventTypes(features.map(({ events }) => events ?? {})),
    auditActions: auditedActions(features.map(({ audited }) => audited ?? {})),
    mails: new Mails(features.map(({ mails }) => mails ?? {})),
    actions: new Actions(features.map(({ actions }) => actions ?? {})),
  }
}
