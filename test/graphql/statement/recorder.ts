/** Runs documents as the gateway does, and writes down what reaches the database. */
import assert from 'node:assert/strict'
import type { Actor, Context } from '../../../src/context.ts'
import { CostLimiter } from '../../../src/cost-limiter.ts'
import { TenantData } from '../../../src/database/data.ts'
import { type Limits, usualLimits } from '../../../src/graphql/document/limits.ts'
import type { ReadyOperation } from '../../../src/graphql/document/operation.ts'
import { Gateway } from '../../../src/graphql/gateway.ts'
import type { TestService, TestTenant } from '../../harness/service.ts'

export interface Sent {
  sql: string
  parameters: readonly unknown[]
}

export interface Recorder {
  gateway: Gateway
  /** However many documents it is given. */
  prepare(query: string): Promise<ReadyOperation>
  /** What the document sent to the database; it may not fail. */
  statementsOf(query: string, variables?: Record<string, unknown>): Promise<Sent[]>
}

export async function recorderOf(
  { service }: TestService,
  tenant: TestTenant,
  limits: Limits = usualLimits,
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
    },
  )
  const { executor } = operator.shared.catalogueDatabase
  const actor: Actor = { id: '', userName: 'worker', tenantId: tenant.id, sessionId: '', roles: ['User'] }
  const boundless = { units: Number.POSITIVE_INFINITY, windowSeconds: 1 }
  const costLimiter = new CostLimiter({ address: boundless, user: boundless, tenant: boundless })
  const { shared, tenant: host } = operator
  const payer = { actor, tenant: host, clientAddress: null, shared: { ...shared, costLimiter } }
  const prepare = (query: string) => gateway.prepare({ query, documentId: null, extensions: {} }, null, payer)
  return {
    gateway,
    prepare,
    statementsOf: async (query, variables = {}) => {
      const statements: Sent[] = []
      const data = new TenantData(tenant.id, {
        dialect: executor.dialect,
        run: (sql, parameters, reusable) => {
          statements.push({ sql, parameters })
          return executor.run(sql, parameters, reusable)
        },
      })
      const context: Context = Object.create(operator, { data: { value: data }, actor: { value: actor } })
      const operation = await prepare(query)
      const { json, isFaulty } = await gateway.run(context, gateway.invocation(operation, variables))
      assert.ok(!isFaulty, String(json))
      return statements
    },
  }
}
