import { Type } from 'typebox'
import {
  type EventCatalogue,
  enqueue,
  type Feature,
  inTransaction,
  job,
  now,
  type PayloadsOf,
  prepare,
  publish,
  schedule,
  type TenantColumn,
} from '../../src/index.ts'
import { invoice } from './invoice.ts'

const reminded = Type.Object({ invoiceId: Type.String({ format: 'uuid' }) })

const events = {
  'invoice.reminded': { summary: 'An invoice was not paid in time.', payload: reminded },
} satisfies EventCatalogue

declare module '../../src/index.ts' {
  interface EventPayloads extends PayloadsOf<typeof events> {}
  interface TenantTables {
    invoice: { tenant_id: TenantColumn; id: string; status: string; created_at: string }
  }
}

/** Publishes a reminder of one invoice, unless it was paid in the meantime. */
const remind = job('invoice.remind', {
  data: reminded,
  run: async (context, { invoiceId }) => {
    await inTransaction(context, async (inside) => {
      const found = await invoice.find(inside, invoiceId)
      if (found?.status === 'sent') await publish(inside, 'invoice.reminded', { invoiceId })
    })
  },
})

const unpaid = prepare((tables, p: { before: string }) =>
  tables
    .selectFrom('invoice')
    .select('id')
    .where('status', '=', 'sent')
    .where('created_at', '<', p.before)
    .orderBy('created_at')
    .limit(1000),
)

const twoWeeksMs = 14 * 24 * 60 * 60 * 1000

/** Adds a job for each unpaid invoice of each tenant, every morning. */
const reminders = schedule('invoice reminders', {
  cron: '0 7 * * *',
  timeZone: 'Europe/Berlin',
  run: async (context) => {
    const before = new Date(Date.parse(now(context)) - twoWeeksMs).toISOString()
    for (const { id } of await context.data.all(unpaid, { before }))
      await enqueue(context, remind, { invoiceId: id }, { key: id })
  },
})

export const reminder: Feature = { name: 'reminder', events, jobs: [remind], schedules: [reminders] }
