/** Creates the delivery engine, and the GraphQL gateway with its live feeds. */
import { defaultLimits as defaultGraphQLLimits } from '../api/graphql/document/limits.ts'
import { Gateway } from '../api/graphql/gateway.ts'
import { OperationLimits } from '../api/graphql/operation-limits.ts'
import type { Limiters } from '../api/http/rate-limit/limiter.ts'
import type { Shared } from '../core/context.ts'
import { operatorContext } from '../core/create-context.ts'
import type { Feature } from '../core/feature/feature.ts'
import type { BufferBudget } from '../core/limits/buffer-budget.ts'
import { defaultSubscriptionLimits } from '../core/limits/client-limits.ts'
import type { LimitMonitor } from '../core/limits/limit-monitor.ts'
import type { Config } from '../core/settings/config.ts'
import type { TenantDirectory } from '../core/tenant/directory.ts'
import { isAwaited } from '../webhooks/incoming/retry/retry.ts'
import { Engine } from '../webhooks/outgoing/engine.ts'
import type { PendingTenants } from '../webhooks/outgoing/pending-tenants/pending-tenants.ts'
import { usualLimits } from '../webhooks/outgoing/queue/slots.ts'
import { createGuard } from '../webhooks/outgoing/send.ts'
import type { AddressPolicy } from '../webhooks/subscriptions/ip-address.ts'
import type { ServiceOptions } from './service-options.ts'

type EngineParts = {
  shared: Shared
  pendingTenants: PendingTenants
  addresses: AddressPolicy
  directory: TenantDirectory
}

export function createEngine(config: Config, options: ServiceOptions, parts: EngineParts): Engine {
  const { shared, pendingTenants, addresses, directory } = parts
  return new Engine({
    shared,
    pendingTenants,
    guard: createGuard(addresses, options.receivers),
    retrySeconds: config.webhookRetrySeconds,
    deadlineMs: config.webhookTimeoutMs,
    limits: { ...usualLimits, ...options.deliveryLimits },
    stopWithinMs: options.deliveryStopWithinMs ?? 10_000,
    tenant: (id) => directory.byId(id),
    isAwaited: async (tenantId) => isAwaited(operatorContext(shared, await directory.host()), tenantId),
  })
}

type LiveParts = {
  shared: Shared
  buffers: BufferBudget
  limitMonitor: LimitMonitor
  limiters: Limiters
  features: readonly Feature[]
}

export function createGateway(config: Config, options: ServiceOptions, parts: LiveParts): Gateway {
  const { features, shared, buffers, limiters, limitMonitor: monitor } = parts
  const { graphqlMaxCost: cost, graphqlMaxRows: rows, graphqlMaxBytes: bytes } = config
  const { graphqlIntrospection: introspection, graphqlOperations: operations } = config
  const { graphqlOperationsOnly: operationsOnly } = config
  const { subscriptionSweepMs: sweepMs } = options
  return new Gateway(
    features.map((feature) => feature.graphql ?? {}),
    {
      ...{ shared, introspection, operations, operationsOnly },
      limits: { ...defaultGraphQLLimits, cost, rows, bytes },
      rateLimits: config.rateLimits.length === 0 ? null : new OperationLimits(limiters),
      live: {
        ...{ monitor, buffers, limits: { ...defaultSubscriptionLimits, ...options.subscriptionLimits } },
        ...(sweepMs !== undefined && { sweepMs }),
      },
    },
  )
}
