import { setTimeout as delay } from 'node:timers/promises'
import { Type } from 'typebox'
import { Reply, type Route, route } from '../../core/feature/route.ts'
import { shareAnswer } from '../../database/shared-answer.ts'

export interface HealthCheck {
  name: string
  /** @throws whatever is wrong */
  check(): Promise<void>
}

const State = Type.Unsafe<'healthy' | 'unhealthy'>({
  type: 'string',
  enum: ['healthy', 'unhealthy'],
  description: '`unhealthy` when it cannot answer',
})

const Health = Type.Object(
  {
    status: State,
    checks: Type.Record(
      Type.String(),
      Type.Object({
        status: State,
        ms: Type.Number({ minimum: 0, description: 'How long the check took, in milliseconds' }),
      }),
      { description: 'What readiness depends on, by name' },
    ),
  },
  { $id: 'Health', description: 'Whether the service can answer, and why not.' },
)
const Liveness = Type.Object(
  { status: State },
  { $id: 'Liveness', description: 'The process lives: it has answered.' },
)

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
    ...named({ getLiveness: '/health/live', getHealthz: '/healthz' }).map((place) =>
      route({
        ...common,
        ...place,
        summary: 'Ask whether the process lives',
        description: 'It looks at nothing else: whoever restarts what does not answer asks here.',
        reply: Liveness,
        handle: live,
      }),
    ),
    ...named({ getHealth: '/health', getReadiness: '/health/ready', getReady: '/ready' }).map((place) =>
      route({
        ...common,
        ...place,
        summary: 'Ask whether the service can answer',
        description:
          'Looks at the database. Whoever balances load asks here: a service that stops is unhealthy before it ends.',
        reply: Health,
        otherwise: { status: 503, description: 'It cannot: one of the checks failed, or it is stopping.' },
        handle: ready,
      }),
    ),
  ]
}

function named(paths: Record<string, string>): { name: string; path: string }[] {
  return Object.entries(paths).map(([name, path]) => ({ name, path }))
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
