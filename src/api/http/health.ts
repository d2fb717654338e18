/** The routes by which supervisors and load balancers check whether the service is alive and ready. */
import { setTimeout as delay } from 'node:timers/promises'
import { Type } from 'typebox'
import { Reply, type Route, route } from '../../core/feature/route.ts'
import { StringEnum } from '../../core/schema/schema.ts'
import { shareAnswer } from '../../database/shared-answer.ts'
import type { Readiness } from './readiness.ts'

export interface HealthCheck {
  name: string
  /** @throws the error by which the check fails */
  check(): Promise<void>
}

const State = StringEnum(['healthy', 'unhealthy'], {
  description: '`unhealthy` when the service cannot answer',
})

const Health = Type.Object(
  {
    status: State,
    checks: Type.Record(
      Type.String(),
      Type.Object({
        status: State,
        ms: Type.Number({ minimum: 0, description: 'The duration of the check in milliseconds' }),
      }),
      { description: 'The checks of readiness, by name' },
    ),
  },
  { $id: 'Health', description: 'Whether the service can answer, with the result of each check.' },
)
const Liveness = Type.Object({ status: State }, { $id: 'Liveness', description: 'The process is alive.' })

const common = { tag: 'Health', access: 'anonymous', database: 'none', method: 'GET' } as const

/**
 * @param checks of readiness
 * @param readiness notes why they fail
 * @param isStopping whether the service is stopping and should get no more requests
 */
export function healthRoutes(
  checks: HealthCheck[],
  readiness: Pick<Readiness, 'note'>,
  isStopping: () => boolean,
): Route[] {
  const live = async () => ({ status: 'healthy' })
  // Requests that arrive during a run share its result, because anyone may call this, and a check takes a connection to
  // the database. A result that is ready is not used again: its maximum age is 0.
  const runs = checks.map((check) => shareAnswer(() => runCheck(check, readiness), 0))
  const ready = async () => {
    const results = await Promise.all(runs.map((run) => run()))
    const healthy = !isStopping() && results.every(([, { status }]) => status === 'healthy')
    const body = { status: healthy ? 'healthy' : 'unhealthy', checks: Object.fromEntries(results) }
    return new Reply(body, {}, healthy ? 200 : 503)
  }
  return [
    ...named({ getLiveness: '/health/live', getHealthz: '/healthz' }).map((operation) =>
      route({
        ...common,
        ...operation,
        summary: 'Check whether the process is alive',
        description: 'The check of liveness, for supervisors that restart a process. It checks nothing else.',
        reply: Liveness,
        handle: live,
      }),
    ),
    ...named({ getHealth: '/health', getReadiness: '/health/ready', getReady: '/ready' }).map((operation) =>
      route({
        ...common,
        ...operation,
        summary: 'Check whether the service can answer',
        description:
          'The check of readiness, for load balancers. It checks the database. A stopping service is unhealthy before it ends.',
        reply: Health,
        otherwise: {
          status: 503,
          description: 'The service cannot answer: a check failed, or the service is stopping.',
        },
        handle: ready,
      }),
    ),
  ]
}

function named(paths: Record<string, string>): { name: string; path: string }[] {
  return Object.entries(paths).map(([name, path]) => ({ name, path }))
}

/** A check that takes longer counts as failed: callers have time-outs. */
const timeLimitMs = 2000

async function runCheck({ name, check }: HealthCheck, readiness: Pick<Readiness, 'note'>) {
  const began = performance.now()
  const done = new AbortController()
  const late = new Error(`There was no answer within ${timeLimitMs} ms.`)
  const failure = await Promise.race([
    check().then(
      () => null,
      (error: unknown) => error,
    ),
    delay(timeLimitMs, late, { ref: false, signal: done.signal }).catch(() => late),
  ])
  done.abort()
  readiness.note(name, failure)
  const status = failure === null ? 'healthy' : 'unhealthy'
  return [name, { status, ms: Math.round((performance.now() - began) * 10) / 10 }] as const
}
