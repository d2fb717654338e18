/** An application with a daily job for each tenant, as a process: `DAILY_CRON` and `DAILY_SPREAD_SECONDS` say when. */
import { Type } from 'typebox'
import { runCommandLine } from '../../src/cli/command-line.ts'
import { writeEvent } from '../../src/core/events/publish.ts'
import type { Feature } from '../../src/core/feature/feature.ts'
import { route } from '../../src/core/feature/route.ts'
import { schedule } from '../../src/core/feature/schedule.ts'
import { inTransaction } from '../../src/core/transaction.ts'

/** How many jobs have begun in each second of Unix time. */
const begun = new Map<number, number>()

const daily = schedule('daily', {
  cron: process.env['DAILY_CRON'] ?? '@daily',
  spreadSeconds: Number(process.env['DAILY_SPREAD_SECONDS'] ?? 600),
  run: async (context) => {
    const second = Math.floor(Date.now() / 1000)
    begun.set(second, (begun.get(second) ?? 0) + 1)
    await inTransaction(context, (inside) =>
      writeEvent(inside, 'daily.done', {}, inside.tenant.id).then(() => undefined),
    )
  },
})

const feature: Feature = {
  name: 'daily',
  permissions: { 'daily:read': { description: 'Count jobs', role: 'Admin' } },
  schedules: [daily],
  routes: [
    route({
      method: 'GET',
      path: '/api/daily',
      tag: 'Daily',
      access: 'daily:read',
      summary: 'Count the jobs that have begun in each second',
      status: 200,
      reply: Type.Object({ perSecond: Type.Array(Type.Integer()) }),
      handle: async () => ({ perSecond: [...begun.values()] }),
    }),
  ],
}

process.exitCode = await runCommandLine(process.argv.slice(2), { features: [feature] })
