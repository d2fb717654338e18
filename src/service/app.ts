/** The server of a service: every route, page, metric and WebSocket, with its limits. It does not listen yet. */
import { MessageScheduler } from '../api/graphql/transport/message-queue.ts'
import { SessionMonitor } from '../api/graphql/transport/session-monitor.ts'
import { acceptWebSockets } from '../api/graphql/transport/web-socket.ts'
import { WebSocketLimiter } from '../api/graphql/transport/web-socket-limiter.ts'
import { ConnectionLimiter, maxConnectionsWithin } from '../api/http/connection/connection-limiter.ts'
import { connectionMetrics } from '../api/http/connection/connection-metrics.ts'
import { Listener } from '../api/http/connection/listener.ts'
import { MetricsListener } from '../api/http/connection/metrics-listener.ts'
import { OpenReplies } from '../api/http/connection/open-replies.ts'
import { PipelinedRequests } from '../api/http/connection/pipelined-requests.ts'
import { closeStalled } from '../api/http/connection/stalled-reply.ts'
import { healthRoutes } from '../api/http/health.ts'
import { loadMetrics } from '../api/http/load-metrics.ts'
import { createMetrics, measureRequests, registerMetrics, serveMetrics } from '../api/http/metrics.ts'
import { mountRoutes, releaseLeases } from '../api/http/mount.ts'
import { limitFaults, limitRoutes } from '../api/http/rate-limit/route-limits.ts'
import { registerReferencePages } from '../api/http/reference-pages.ts'
import { ReplyEnd } from '../api/http/reply-end.ts'
import { isStillAdmitted } from '../api/http/request/admission.ts'
import type { BodyParts } from '../api/http/request/body.ts'
import { RequestTurns } from '../api/http/request/request-turns.ts'
import { unknownInputOf } from '../api/http/request/unknown-input.ts'
import { logRequests } from '../api/http/request-log.ts'
import { createServer } from '../api/http/server.ts'
import { openApiText } from '../api/openapi/document.ts'
import { frameRoutes } from '../console/frame/rest.ts'
import { registerConsole } from '../console/pages.ts'
import type { Authenticator } from '../core/authenticator.ts'
import { basePathOf } from '../core/base-path.ts'
import { databaseMetrics } from '../core/database-metrics.ts'
import type { Route } from '../core/feature/route.ts'
import { hostNameOf } from '../core/host.ts'
import { BodyMemory, defaultBodyMemory } from '../core/limits/body-memory.ts'
import { defaultWebSocketLimits } from '../core/limits/client-limits.ts'
import { descriptorLimit } from '../core/limits/descriptor-limit.ts'
import { logMetric } from '../core/log/log.ts'
import type { Metric } from '../core/metric.ts'
import { type Config, ConfigError } from '../core/settings/config.ts'
import { ApiKeyAuthenticator } from '../identity/api-key/authenticator.ts'
import { CredentialAuthenticator } from '../identity/authenticator.ts'
import { SessionAuthenticator } from '../identity/session/authenticator.ts'
import { followerMetrics, followerRoutes } from './followers.ts'
import type { Parts } from './parts.ts'
import type { ServiceOptions } from './service-options.ts'

/** @param isStopping whether a stop has begun: the check of readiness then fails */
export async function buildApp(
  config: Config,
  parts: Parts,
  options: ServiceOptions,
  isStopping: () => boolean,
) {
  const { buffers, database, directory, features, graphql, limiters, limitMonitor, log, shared } = parts
  const bodies = createBodyParts(config, options, parts)
  const replies = new OpenReplies()
  const pipelined = new PipelinedRequests(replies, limitMonitor)
  const basePath = basePathOf(config.baseUrl)
  const app = await createServer({ ...config, basePath, log, failures: shared.failures, bodies, pipelined })
  const listener = new Listener(app, replies, options.lingerMs)
  const connections = limitConnections(config, parts)
  const webSockets = new WebSocketLimiter(
    { ...defaultWebSocketLimits(connections.max), ...options.webSocketLimits },
    limitMonitor,
  )
  const admission = { authenticator: createAuthenticator(parts), directory, hosts: hostsOf(config) }
  const sessionMonitor = new SessionMonitor((credentials, tenantId) =>
    isStillAdmitted(credentials, tenantId, admission),
  )
  const eventStreams = { open: 0 }
  const routes = limited(parts, [
    ...features.flatMap((feature) => feature.routes ?? []),
    ...frameRoutes(parts.frames),
    ...followerRoutes(parts, { sessionMonitor, eventStreams, keepAliveMs: options.keepAliveMs }),
    ...healthRoutes([{ name: 'database', check: () => database.check() }], parts.readiness, isStopping),
  ])
  const end = new ReplyEnd(app)
  releaseLeases(app, end)
  const stopWatching = closeStalled(app.server, limitMonitor, options.stalledMs)
  app.addHook('onClose', async () => stopWatching())
  logRequests(app, end, log)
  const metrics = metricsOf(parts, [
    ...loadMetrics(shared, bodies.bodyMemory),
    ...connectionMetrics({ connections, webSockets, eventStreams, limitMonitor, buffers }),
  ])
  const rendered = measureRequests({ app, end }, metrics, parts.requestFigures, options.metricsMaxAgeMs)
  if (config.metricsPort === null) serveMetrics(app, rendered)
  registerConsole(app, { ...parts, basePath, inDevelopment: !config.production })
  const openApi = openApiText(routes, { version: 'v1', baseUrl: config.baseUrl })
  registerReferencePages(app, openApi)
  const turns = new RequestTurns()
  const unknownInput = unknownInputOf(config, shared)
  const limits = { ...boundsOf(config), limiters, turns, bodies, unknownInput }
  const mounting = { ...admission, ...limits, shared, basePath }
  mountRoutes(app, routes, mounting)
  const closeWebSockets = acceptWebSockets(app.server, {
    gateway: graphql,
    sessionMonitor,
    admission,
    shared,
    buffers,
    turns,
    limiter: webSockets,
    scheduler: new MessageScheduler(),
    ...webSocketRules(config),
  })
  await app.ready()
  connections.guard(app.server)
  pipelined.guard(app.server)
  const closeStreams = async (): Promise<void> => {
    await closeWebSockets() // first: a subscription that ended on an open WebSocket would send a complete message
    parts.feeds.stop()
  }
  return { app, listener, metricsListener: new MetricsListener(rendered, app.log), openApi, closeStreams }
}

function webSocketRules({ baseUrl, corsOrigins, trustProxy, bodyLimitBytes }: Config) {
  return { baseUrl, corsOrigins, trustProxy, messageLimitBytes: bodyLimitBytes }
}

function metricsOf(parts: Parts, ofApp: readonly Metric[]) {
  const metrics = createMetrics()
  registerMetrics(metrics, [
    ...parts.features.flatMap((feature) => feature.metrics ?? []),
    ...followerMetrics(parts),
    ...ofApp,
    ...databaseMetrics(parts.database),
    logMetric,
  ])
  return metrics
}

function limitConnections(
  { maxConnections, trustProxy }: Config,
  { log, limitMonitor }: Parts,
): ConnectionLimiter {
  const max = maxConnectionsWithin(maxConnections, descriptorLimit())
  if (max < maxConnections)
    log.warn({ max }, 'fewer connections than MAX_CONNECTIONS, because the limit of open files is too low')
  return new ConnectionLimiter({ max, trustProxy, monitor: limitMonitor })
}

function createAuthenticator(parts: Parts): Authenticator {
  const { apiKeys, portals, revoked, shared, tokens } = parts
  const sessions = new SessionAuthenticator(tokens, revoked, parts)
  const keys = new ApiKeyAuthenticator(apiKeys, parts, shared.clock)
  return new CredentialAuthenticator(sessions, keys, portals)
}

function boundsOf({ bodyLimitBytes, requestTimeoutMs, signInLimit, compressReplies }: Config) {
  return { bodyLimitBytes, maxStalledBodyMs: requestTimeoutMs, signInLimit, compressReplies }
}

function hostsOf({ baseDomain, baseUrl }: Config) {
  return { baseDomain, ownHost: hostNameOf(new URL(baseUrl).hostname) }
}

/** @throws ConfigError for rate limits of unknown routes or fields */
function limited({ graphql, limiters }: Parts, routes: Route[]): Route[] {
  const faults = limitFaults(limiters, routes, graphql.fieldNames)
  if (faults.length > 0) throw new ConfigError(faults)
  return limitRoutes(routes, limiters)
}

function createBodyParts(config: Config, options: ServiceOptions, parts: Parts): BodyParts {
  const { bodyLimitBytes, webhookBodyLimitBytes } = config
  const defaults = defaultBodyMemory(Math.max(bodyLimitBytes, webhookBodyLimitBytes))
  return {
    bodyMemory: new BodyMemory({ ...defaults, ...options.bodyMemory }, parts.limitMonitor),
    costLimiter: parts.shared.costLimiter,
  }
}
