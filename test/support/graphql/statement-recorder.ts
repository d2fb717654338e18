/** Runs documents as the gateway does, and records what reaches the database. */

import assert from 'node:assert/strict'
import { defaultLimits, type Limits } from '../../../src/api/graphql/document/limits.ts'
import type { PreparedOperation } from '../../../src/api/graphql/document/operation.ts'
import { Gateway } from '../../../src/api/graphql/gateway.ts'
import { textOf } from '../../../src/api/graphql/json-writer.ts'
import { noAttributes } from '../../../src/core/attributes.ts'
import type { Actor, Context, Tenant } from '../../../src/core/context.ts'
import { CostLimiter } from '../../../src/core/limits/cost-limiter.ts'
import { Feeds } from '../../../src/core/live/feeds.ts'
import { everyPermission } from '../../../src/core/permission.ts'
import { TenantData } from '../../../src/database/data.ts'
import type { Database, Executor, Row } from '../../../src/database/executor.ts'
import type { TestService, TestTenant } from '../service.ts'

export interface Sent {
  sql: string
  parameters: readonly unknown[]
  /** Of all texts that came back. */
  characters: number
  /** Of those that came back at once. */
  mostAtOnce: number
}

export interface Run {
  // biome-ignore lint/suspicious/noExplicitAny: tests read replies of every shape
  reply: any
  sent: Sent[]
}

export interface Recorder {
  gateway: Gateway
  /** However many documents it is given. */
  prepare(query: string): Promise<PreparedOperation>
  /** What the document sent to the database; it may not fail, and nothing of it is a scan. */
  statementsOf(query: string, variables?: Record<string, unknown>): Promise<Sent[]>
  /** What came of it, and what was sent, inside a transaction and by scans too. */
  run(query: string, variables?: Record<string, unknown>): Promise<Run>
  /** A context of the user, and what will be sent through it. */
  recording(canScan?: boolean): { context: Context; sent: Sent[] }
}

export async function recorderOf(
  { service }: TestService,
  tenant: TestTenant,
  limits: Limits = defaultLimits,
): Promise<Recorder> {
  const operator = await service.operator()
  const gateway = new Gateway(
    service.features.map((feature) => feature.graphql ?? {}),
    {
      shared: operator.shared,
      introspection: false,
      operations: new Map(),
      operationsOnly: false,
      limits,
      feeds: new Feeds(operator.shared),
    },
  )
  const { catalogueDatabase } = operator.shared
  const actor: Actor = {
    id: '',
    userName: 'worker',
    tenantId: tenant.id,
    credential: { kind: 'session', sessionId: '' },
    roles: ['User'],
    permissions: everyPermission,
    attributes: noAttributes,
    impersonator: null,
  }
  const boundless = { units: Number.POSITIVE_INFINITY, windowSeconds: 1 }
  const costLimiter = new CostLimiter({
    address: boundless,
    user: boundless,
    tenant: boundless,
    anonymous: boundless,
    operationMs: { anonymous: 1e9, user: 1e9 },
  })
  const { shared, tenant: host } = operator
  const payer = { actor, tenant: host, clientAddress: null, shared: { ...shared, costLimiter } }
  const prepare = (query: string) => gateway.prepare({ query, documentId: null, extensions: {} }, null, payer)
  const recording = (canScan = true) => {
    const sent: Sent[] = []
    const tenantDatabase = recordedDatabase(catalogueDatabase, sent)
    const own: Partial<Context> = {
      tenantDatabase,
      data: new TenantData(
        tenant.id,
        recordedExecutor(catalogueDatabase.executor, sent),
        canScan ? tenantDatabase : null,
      ),
      actor,
      signal: null,
      tenant: { ...host, id: tenant.id } satisfies Tenant,
    }
    const context: Context = Object.create(operator, Object.getOwnPropertyDescriptors(own))
    return { context, sent }
  }
  const run = async (
    query: string,
    variables: Record<string, unknown> = {},
    canScan = true,
  ): Promise<Run> => {
    const { context, sent } = recording(canScan)
    const operation = await prepare(query)
    const { json, reservation } = await gateway.run(context, gateway.invocation(operation, variables))
    reservation?.release()
    return { reply: JSON.parse(textOf(json)), sent }
  }
  return {
    gateway,
    prepare,
    run,
    recording,
    statementsOf: async (query, variables) => {
      const { reply, sent } = await run(query, variables, false)
      assert.equal(reply.errors, undefined, JSON.stringify(reply.errors))
      return sent
    },
  }
}

function recordedDatabase(database: Database, sent: Sent[]): Database {
  return through(database, {
    scan: (sql, parameters, options) =>
      recordedScan(database.scan(sql, parameters, options), sent, { sql, parameters }),
    transaction: (work, options) =>
      database.transaction(
        (transaction) => work(through(transaction, recordedExecutor(transaction, sent))),
        options,
      ),
  })
}

function recordedExecutor(executor: Executor, sent: Sent[]): Pick<Executor, 'run' | 'dialect'> {
  return {
    dialect: executor.dialect,
    run: async (sql, parameters, reusable) => {
      const statement = { sql, parameters, characters: 0, mostAtOnce: 0 }
      sent.push(statement)
      const result = await executor.run(sql, parameters, reusable)
      count(statement, result.rows)
      return result
    },
  }
}

async function* recordedScan(
  batches: AsyncIterable<Row[]>,
  sent: Sent[],
  { sql, parameters }: Pick<Sent, 'sql' | 'parameters'>,
) {
  const statement = { sql, parameters, characters: 0, mostAtOnce: 0 }
  sent.push(statement)
  for await (const rows of batches) {
    count(statement, rows)
    yield rows
  }
}

function count(statement: Sent, rows: readonly Row[]): void {
  let characters = 0
  for (const row of rows) {
    for (const value of Object.values(row)) characters += typeof value === 'string' ? value.length : 0
  }
  statement.characters += characters
  statement.mostAtOnce = Math.max(statement.mostAtOnce, characters)
}

/** Behaves like the original, but for some members. */
function through<T extends object>(original: T, own: Partial<T>): T {
  return new Proxy(original, {
    get: (_target, name) => {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name)
      const member = Reflect.get(original, name)
      return typeof member === 'function' ? member.bind(original) : member
    },
  })
}
