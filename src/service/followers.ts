/** The parts that follow the events of tenants: GraphQL subscriptions, and live lists. */

import { defaultLimits as defaultGraphQLLimits } from '../api/graphql/document/limits.ts'
import { Gateway } from '../api/graphql/gateway.ts'
import { graphqlMetrics } from '../api/graphql/metrics.ts'
import { OperationLimits } from '../api/graphql/operation-limits.ts'
import { graphqlRoutes } from '../api/graphql/transport/rest.ts'
import type { SessionMonitor } from '../api/graphql/transport/session-monitor.ts'
import type { Limiters } from '../api/http/rate-limit/limiter.ts'
import { LiveLists } from '../api/live/live-lists.ts'
import { liveMetrics } from '../api/live/metrics.ts'
import { liveRoutes } from '../api/live/rest.ts'
import type { Shared } from '../core/context.ts'
import { defined } from '../core/defined.ts'
import type { Feature } from '../core/feature/feature.ts'
import type { Route } from '../core/feature/route.ts'
import type { BufferBudget } from '../core/limits/buffer-budget.ts'
import { defaultLiveLimits, defaultSubscriptionLimits } from '../core/limits/client-limits.ts'
import type { LimitMonitor } from '../core/limits/limit-monitor.ts'
import { Feeds } from '../core/live/feeds.ts'
import type { Metric } from '../core/metric.ts'
import type { Config } from '../core/settings/config.ts'
import type { ServiceOptions } from './service-options.ts'

interface FollowerParts {
  shared: Shared
  buffers: BufferBudget
  limitMonitor: LimitMonitor
  limiters: Limiters
  features: readonly Feature[]
}

export function createFollowers(config: Config, options: ServiceOptions, parts: FollowerParts) {
  const { features, shared, buffers, limitMonitor: monitor } = parts
  const { subscriptionSweepMs: sweepMs } = options
  const feeds = new Feeds(shared, defined({ monitor, buffers, sweepMs }))
  const limits = { ...defaultLiveLimits, ...options.liveLimits }
  const sources = features.flatMap(({ live }) => live ?? [])
  return {
    feeds,
    graphql: createGateway(config, options, { ...parts, feeds }),
    liveLists: new LiveLists(sources, { feeds, monitor, limits }),
  }
}

interface Streaming {
  sessionMonitor: SessionMonitor
  /** Counts open event streams. */
  eventStreams: { open: number }
  keepAliveMs: number | undefined
}

export function followerRoutes(
  { graphql: gateway, liveLists: lists }: ReturnType<typeof createFollowers>,
  streaming: Streaming,
): Route[] {
  return [
    ...graphqlRoutes({ gateway, ...streaming }),
    ...liveRoutes({ lists, ...streaming, quietMs: streaming.keepAliveMs }),
  ]
}

export function followerMetrics({ graphql, liveLists }: ReturnType<typeof createFollowers>): Metric[] {
  return [...graphqlMetrics(graphql), ...liveMetrics(liveLists)]
}

function createGateway(
  config: Config,
  options: ServiceOptions,
  parts: FollowerParts & { feeds: Feeds },
): Gateway {
  const { features, shared, feeds, limiters, limitMonitor: monitor } = parts
  const { graphqlMaxCost: cost, graphqlMaxRows: rows, graphqlMaxBytes: bytes } = config
  const { graphqlIntrospection: introspection, graphqlOperations: operations } = config
  const { graphqlOperationsOnly: operationsOnly } = config
  return new Gateway(
    features.map((feature) => feature.graphql ?? {}),
    {
      shared,
      introspection,
      operations,
      operationsOnly,
      limits: { ...defaultGraphQLLimits, cost, rows, bytes },
      rateLimits: config.rateLimits.length === 0 ? null : new OperationLimits(limiters),
      feeds,
      monitor,
      subscriptionLimits: { ...defaultSubscriptionLimits, ...options.subscriptionLimits },
    },
  )
}
