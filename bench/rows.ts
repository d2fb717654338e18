/** What is measured, in order, and how thoroughly. */
import { startPostgres } from '../test/support/database/postgres-server.ts'
import { type AccessEffort, row as accessRow, measureAccess } from './access/rows.ts'
import { row as entityRow, measureEntity } from './entity/rows.ts'
import { row as hostileRow, measureHostile } from './graphql/hostile.ts'
import { measureGraphql } from './graphql/rows.ts'
import { row as historyRow, measureHistory } from './history/rows.ts'
import { measureIncoming } from './incoming/rows.ts'
import { type DailyEffort, row as dailyRow, measureDailyJobs } from './job/daily.ts'
import { row as jobRow, measureJobs } from './job/rows.ts'
import { type LiveCostEffort, row as liveCostRow, measureLiveCost } from './live/cost.ts'
import { type LiveEffort, row as liveRow, measureLive } from './live/rows.ts'
import type { Load } from './load/load.ts'
import { measureOverview, row as overviewRow } from './overview/rows.ts'
import { row as apiKeyRow, measureApiKey } from './row/api-key.ts'
import { measureConsole } from './row/console.ts'
import { compareOnPostgres, compareOnSqlite } from './row/contest.ts'
import { row as entitiesRow, measureEntities } from './row/entities.ts'
import type { Finding } from './row/finding.ts'
import { measureInstances } from './row/instances.ts'
import { row as lookUpRow, measureLookUps } from './row/look-up.ts'
import { measureMemoryAtRest } from './row/memory.ts'
import { measureMigrations } from './row/migrations.ts'
import { measureMove } from './row/move.ts'
import { measureStart } from './row/start.ts'
import { measureStream } from './row/stream.ts'
import { measureTenants } from './row/tenants.ts'
import { works } from './row/throughput.ts'
import type { Rounds } from './row/turns.ts'
import { measureSubscriptions, type SubscriptionEffort, row as subscriptionRow } from './subscription/rows.ts'
import { measureWebhooks, type WebhookEffort } from './webhook/rows.ts'

export interface Effort {
  rounds: Rounds
  postgresRounds: Rounds
  /** That each hostile request is sent. */
  hostileTimes: number
  starts: number
  idleMs: number
  /** Of each kind, in a round. */
  lookUps: number
  streamedRows: number
  tenants: number
  movedProducts: number
  overviewRows: number
  webhooks: WebhookEffort
  /** Of receipts at a steady rate. */
  incomingSeconds: number
  jobs: number
  dailyJobs: DailyEffort
  subscriptions: SubscriptionEffort
  access: AccessEffort
  live: LiveEffort
  liveCost: LiveCostEffort
}

export const thorough: Effort = {
  rounds: { count: 7, ms: 2000, warmUpMs: 2000 },
  postgresRounds: { count: 3, ms: 1500, warmUpMs: 1500 },
  hostileTimes: 15,
  starts: 5,
  idleMs: 8000,
  lookUps: 20_000,
  streamedRows: 1_000_000,
  tenants: 1000,
  movedProducts: 100_000,
  overviewRows: 100_000,
  webhooks: { deliveries: 20_000, idleEvents: 300, loadSeconds: 20, posts: 2000, hung: 10_000 },
  incomingSeconds: 15,
  jobs: 20_000,
  dailyJobs: { tenants: 10_000, spreadSeconds: 120 },
  subscriptions: { orders: 200 },
  access: { rows: [10_000], rounds: { count: 25, ms: 400, warmUpMs: 1000 }, starts: 7 },
  live: { seconds: 20 },
  liveCost: { turns: 60 },
}

/** A first look while working on something: its figures are not for comparison. */
export const quick: Effort = {
  rounds: { count: 3, ms: 1000, warmUpMs: 1000 },
  postgresRounds: { count: 3, ms: 500, warmUpMs: 1000 },
  hostileTimes: 7,
  starts: 3,
  idleMs: 2000,
  lookUps: 5000,
  streamedRows: 200_000,
  tenants: 100,
  movedProducts: 20_000,
  overviewRows: 10_000,
  webhooks: { deliveries: 5000, idleEvents: 100, loadSeconds: 5, posts: 500, hung: 2000 },
  incomingSeconds: 4,
  jobs: 5000,
  dailyJobs: { tenants: 2000, spreadSeconds: 30 },
  subscriptions: { orders: 50 },
  access: { rows: [10_000], rounds: { count: 15, ms: 150, warmUpMs: 500 }, starts: 3 },
  live: { seconds: 5 },
  liveCost: { turns: 15 },
}

interface Measurement {
  /** The rows that it gives, by the names that `--only` takes. */
  rows: string[]
  measure(effort: Effort, load: Load, wanted: (row: string) => boolean): Promise<Finding[]>
}

export const measurements: Measurement[] = [
  {
    rows: works.map(({ row }) => row),
    measure: ({ rounds }, load, wanted) =>
      compareOnSqlite(
        load,
        works.filter(({ row }) => wanted(row)),
        rounds,
      ),
  },
  { rows: [apiKeyRow], measure: async ({ rounds }, load) => [await measureApiKey(load, rounds)] },
  {
    rows: ['graphql'],
    measure: ({ rounds, postgresRounds }, load) => measureGraphql(load, rounds, postgresRounds),
  },
  {
    rows: [entityRow],
    measure: ({ rounds, postgresRounds }, load) => measureEntity(load, rounds, postgresRounds),
  },
  {
    rows: [historyRow],
    measure: ({ rounds, postgresRounds }, load) => measureHistory(load, rounds, postgresRounds),
  },
  { rows: [accessRow], measure: ({ access }, load) => measureAccess(load, access) },
  { rows: [overviewRow], measure: ({ overviewRows }) => measureOverview(overviewRows) },
  { rows: [hostileRow], measure: async ({ hostileTimes }) => [await measureHostile(hostileTimes)] },
  { rows: [jobRow], measure: async ({ jobs }) => [await measureJobs(jobs)] },
  { rows: [dailyRow], measure: ({ dailyJobs }) => measureDailyJobs(dailyJobs) },
  { rows: ['start'], measure: async ({ starts }) => [await measureStart(starts)] },
  { rows: [entitiesRow], measure: ({ starts }) => measureEntities(starts) },
  { rows: ['console'], measure: measureConsole },
  { rows: ['memory'], measure: async ({ idleMs }) => [await measureMemoryAtRest(idleMs)] },
  { rows: [lookUpRow], measure: ({ lookUps }) => measureLookUps(lookUps) },
  { rows: ['stream'], measure: async ({ streamedRows }) => [await measureStream(streamedRows)] },
  { rows: ['tenants'], measure: ({ tenants }) => measureTenants(tenants) },
  { rows: ['migrations'], measure: ({ tenants }) => measureMigrations(tenants) },
  { rows: ['move'], measure: ({ movedProducts }) => measureMove(movedProducts) },
  { rows: ['incoming'], measure: ({ incomingSeconds }) => measureIncoming(incomingSeconds) },
  { rows: [subscriptionRow], measure: ({ subscriptions }) => measureSubscriptions(subscriptions) },
  { rows: [liveRow], measure: ({ live }) => measureLive(live) },
  { rows: [liveCostRow], measure: ({ liveCost }, load) => measureLiveCost(load, liveCost) },
  { rows: ['webhook'], measure: ({ webhooks }) => measureWebhooks(webhooks) },
  { rows: ['instances'], measure: ({ rounds }, load) => measureInstances(load, rounds) },
  { rows: ['postgres'], measure: ({ postgresRounds }, load) => measureOnPostgres(load, postgresRounds) },
]

async function measureOnPostgres(load: Load, rounds: Rounds): Promise<Finding[]> {
  const informative = works.map((work) => ({
    ...work,
    row: 'postgres',
    about: `${work.about}, on PostgreSQL`,
    target: null,
  }))
  const server = await startPostgres()
  try {
    return await compareOnPostgres(load, informative, rounds, server.url)
  } finally {
    await server.stop()
  }
}
