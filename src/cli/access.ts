/** `tenantry access explain`: what a user may do with the rows of an entity, and why. */
import { valuesOf } from '../core/attributes.ts'
import { hostTenantId, type Tenant } from '../core/context.ts'
import { asTenant, requestContext } from '../core/create-context.ts'
import type { EntityDescription } from '../core/feature/entity-description.ts'
import { isUuid, newId } from '../core/id.ts'
import { userOwner } from '../core/owner.ts'
import { lookUpTenant } from '../core/tenant/directory.ts'
import {
  type AccessExplanation,
  type ExplainedBranch,
  type ExplainedOperation,
  type ExplainedRule,
  explainAccess,
  explainedOperations,
} from '../entity/explain-access.ts'
import { getUser, getUserByName } from '../identity/user/user.ts'
import { print, type Run, UsageError } from './command.ts'
import { type Operator, withOperator } from './with-operator.ts'

export const explain: Run = (config, { argument, options }, service, { output }) => {
  const { op = 'read', id = null, as = '', tenant: tenantId = hostTenantId } = options
  if (id !== null && !isUuid(id)) throw new UsageError('--id is the id of a row.')
  return withOperator(config, service, async (operator) => {
    const tenant = await lookUpTenant(operator.context, tenantId)
    if (tenant === null) throw new UsageError(`There is no tenant ${tenantId}.`)
    const lines = await explainInLines(operator, tenant, { name: argument, as, op, id })
    for (const line of lines) print(output, line)
  })
}

interface ExplainOptions {
  name: string
  as: string
  /** An operation, or an action of the entity. */
  op: string
  id: string | null
}

/** @throws UsageError for an entity or an operation that does not exist, and for a user without access; ServiceError `notFound` */
export async function explainInLines(
  { context, features }: Pick<Operator, 'context' | 'features'>,
  tenant: Tenant,
  { name, as, op, id }: ExplainOptions,
): Promise<string[]> {
  const { shared } = context
  const entity = shared.entities.map((describe) => describe()).find((each) => each.name === name)
  const table = features.find((feature) => feature.name === name && 'table' in feature) as
    | { table: string }
    | undefined // an entity
  if (entity === undefined || table === undefined) throw new UsageError(`There is no entity ${name}.`)
  const asked = operationOf(op, entity)
  const user = isUuid(as) ? await getUser(context, as) : await getUserByName(context, tenant.id, as)
  const [rights] = await shared.owners.load([{ tenantId: tenant.id, owner: userOwner(user.id) }])
  if (rights === null || rights === undefined)
    throw new UsageError(`${as} is no active user of ${tenant.id}.`)
  const lease = await shared.tenantDatabases.lease(tenant)
  try {
    const caller = requestContext(
      shared,
      { id: newId(), ip: '', userAgent: null },
      {
        actor: {
          id: user.id,
          userName: user.userName,
          tenantId: tenant.id,
          roles: user.roles,
          credential: { kind: 'session', sessionId: '' },
          permissions: rights.permissions,
          attributes: { values: (attribute) => valuesOf(user.attributes[attribute]) },
          impersonator: null,
        },
        tenant,
        idempotency: null,
        database: lease.database,
      },
    )
    const explanation = await explainAccess(caller, asTenant(caller), {
      entity,
      id,
      table: table.table,
      ...asked,
    })
    return [`${name}, ${op}, as ${user.userName} of ${tenant.id}`, ...linesOf(explanation)]
  } finally {
    lease.release()
  }
}

/** @throws UsageError */
function operationOf(
  op: string,
  { actions }: EntityDescription,
): { operation: ExplainedOperation; action: string | null } {
  const operation = explainedOperations.find((each) => each === op)
  if (operation !== undefined) return { operation, action: null }
  const names = actions.map(({ name }) => name)
  if (!names.includes(op))
    throw new UsageError(`--op is one of ${[...explainedOperations, ...names].join(', ')}.`)
  return { operation: 'update', action: op }
}

function linesOf(explanation: AccessExplanation): string[] {
  const { permission, all, events, rules, hidden, unwritable, statement, answer } = explanation
  return [
    permission === null
      ? 'Callers do not have this operation'
      : `Permission ${permission.name}: ${heldOrNot(permission.isHeld)}`,
    ...(all === null
      ? ['Rows: no rules']
      : [`Permission ${all.name}, which reaches every row: ${heldOrNot(all.isHeld)}`]),
    ...(events === null ? [] : [`Events: ${eventDecisions[events]}`]),
    ...rules.flatMap(({ operation, action, isStated, holds, branches }) => [
      `Rule of ${action ?? operation}: ${outcome(holds)}${isStated ? '' : defaultOf(operation, rules)}`,
      ...branches.map(lineOfBranch),
    ]),
    `Hidden members: ${listed(hidden)}`,
    `Members that the user does not write: ${listed(unwritable)}`,
    ...(statement === null
      ? []
      : [
          `SQL: ${statement.sql}`,
          `Parameters: ${JSON.stringify(statement.parameters)}`,
          `Index: ${listed(statement.indexes)}`,
          'Plan:',
          ...statement.plan.map((line) => `  ${line}`),
        ]),
    `Answer: ${answer === null ? 'depends on the row; name one with --id' : answers[answer]}`,
  ]
}

const eventDecisions = {
  values: 'the values that an event keeps decide who is told of it',
  database: 'what the database has when an event is sent decides who is told of it',
}

const answers = {
  allowed: 'allowed',
  forbidden: 'refused (403)',
  notFound: 'no such row for the user (404)',
}

function defaultOf(operation: string, rules: readonly ExplainedRule[]): string {
  if (operation !== 'keep') return ', because the rule names no such operation'
  const action = rules.find((rule) => rule.action !== null)?.action
  return `, which is that of read and ${action ?? 'update'}`
}

function lineOfBranch({ depth, text, holds, column, value, isHidden }: ExplainedBranch): string {
  const known = column !== null && value !== undefined ? ` (the row has ${value})` : ''
  const shown = isHidden === true ? ' (the row has a hidden value)' : known
  return `${'  '.repeat(depth + 1)}${outcome(holds)}: ${text}${shown}`
}

function outcome(holds: boolean | null): string {
  return holds === null ? 'by row' : `${holds}`
}

function heldOrNot(isHeld: boolean): string {
  return isHeld ? 'held' : 'not held'
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ')
}
