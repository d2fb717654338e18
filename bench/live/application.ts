/** Tickets whose lists are followed by those of their queues, on the package as it is installed. */
import type * as Tenantry from '../../src/index.ts'

const bundle = new URL('../../dist/index.js', import.meta.url).href
const tenantry: typeof Tenantry = await import(bundle)
const { defineConfig, entity, integer, listOf, text } = tenantry

const ticket = entity('ticket', {
  live: true,
  fields: { title: text(), queue: text(), level: integer().default(1) },
  sort: ['queue'],
  access: { rows: ({ row, actor }) => row.queue.in(actor.claims('queues')) },
})

export default defineConfig({ features: [ticket], attributes: { queues: listOf(text()) } })
