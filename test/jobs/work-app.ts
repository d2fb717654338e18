/** An application with a job, as a process: `POST /api/work` enqueues, and each job publishes when it began and ended. */
import { setTimeout as delay } from 'node:timers/promises'
import { Type } from 'typebox'
import { runCommandLine } from '../../src/cli/command-line.ts'
import { writeEvent } from '../../src/core/events/publish.ts'
import type { Feature } from '../../src/core/feature/feature.ts'
import { job } from '../../src/core/feature/job.ts'
import { route } from '../../src/core/feature/route.ts'
import { inTransaction } from '../../src/core/transaction.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'

const Item = Type.Object({
  number: Type.Integer({ maximum: 1e9 }),
  /** How long it takes; less than 0 for a job that does nothing. */
  ms: Type.Integer({ minimum: -1, maximum: 60_000 }),
})

let ended = 0

const work = job('work.do', {
  data: Item,
  retrySeconds: Array<number>(50).fill(0.1),
  run: async (context, { number, ms }) => {
    ended++
    if (ms < 0) return
    const beganAtMs = Date.now()
    await delay(ms)
    const attempt = { number, pid: process.pid, beganAtMs, endedAtMs: Date.now() }
    await inTransaction(context, (inside) =>
      writeEvent(inside, 'work.done', attempt, inside.tenant.id).then(() => undefined),
    )
  },
})

const feature: Feature = {
  name: 'work',
  permissions: { 'work:write': { description: 'Enqueue work', role: 'Admin' } },
  jobs: [work],
  routes: [
    route({
      method: 'POST',
      path: '/api/work',
      tag: 'Work',
      access: 'work:write',
      summary: 'Enqueue jobs',
      body: Type.Object({ items: Type.Array(Item, { maxItems: 1000 }) }),
      status: 201,
      reply: Type.Object({}),
      handle: (context, { body }) =>
        inTransaction(context, async (inside) => {
          for (const item of body.items) await enqueue(inside, work, item)
          return {}
        }),
    }),
    route({
      method: 'GET',
      path: '/api/work',
      tag: 'Work',
      access: 'work:write',
      summary: 'Count the attempts that have begun',
      status: 200,
      reply: Type.Object({ ended: Type.Integer() }),
      handle: async () => ({ ended }),
    }),
  ],
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  features: [feature],
  jobLimits: { leaseMs: 3000 },
})
