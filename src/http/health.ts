import { setTimeout as delay } from 'node:timers/promises'
import { Type } from 'typebox'
import { shareAnswer } from '../shared-answer.ts'
import { Reply, type Route, route } from './route.ts'

export interface HealthCheck {
  name: string
  /** @throws whatever is wrong */
  check(): Promise<void>
}

const State = Type.Unsafe<'healthy' | 'unhealthy'>({ type: 'string', enum: ['healthy', 'unhealthy'] })

const Health = Type.Object(
  { status: State, checks: Type.Record(Type.String(), Type.Object({ status: State, ms: Type.Number() })) },
  { $id: 'Health' },
)
const Liveness = Type.Object({ status: State }, { $id: 'Liveness' })

const common = { tag: 'Health', access: 'anonymous', database: 'none', method: 'GET', status: 200 } as const

/** @param checks what readiness depends on @param isStopping a service that stops takes no more requests */
export function healthRoutes(checks: HealthCheck[], isStopping: () => boolean): Route[] {
  const live = async () => ({ status: 'healthy' })
  // Anybody may ask, and a check has one connection.
  const runs = checks.map((check) => shareAnswer(() => runCheck(check), 0))
  const ready = async () => {
    const results = await Promise.all(runs.map((run) => run()))
    const healthy = !isStopping() && results.every(([, { status }]) => status === 'healthy')
    const body = { status: healthy ? 'healthy' : 'unhealthy', checks: Object.fromEntries(results) }
    return new Reply(body, {}, healthy ? 200 : 503)
  }
  return [
    ...['/health/live', '/healthz'].map((path) =>
      route({ ...common, path, summary: 'Ask whether the process lives', reply: Liveness, handle: live }),
    ),
    ...['/health', '/health/ready', '/ready'].map((path) =>
      route({
        ...common,
        path,
        summary: 'Ask whether the service can answer',
        reply: Health,
        otherwise: { status: 503, description: 'It cannot: one of the checks failed, or it is stopping.' },
        handle: ready,
      }),
    ),
  ]
}

/** A part that does not answer is as good as gone, and whoever asks has a time-out of its own. */
const timeLimitMs = 2000

async function runCheck({ name, check }: HealthCheck) {
  const began = performance.now()
  const done = new AbortController()
  const status = await Promise.race([
    check().then(
      () => 'healthy',
      () => 'unhealthy',
    ),
    delay(timeLimitMs, 'unhealthy', { ref: false, signal: done.signal }).catch(() => 'unhealthy'),
  ])
  done.abort()
  return [name, { status, ms: Math.round((performance.now() - began) * 10) / 10 }] as const
}
