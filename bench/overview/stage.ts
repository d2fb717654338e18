/** A tenant with many tickets, and another tenant beside it. */
import { entity, oneOf, sequence, text } from '../../src/index.ts'
import { migrated } from '../../test/entity/migrated.ts'
import type { Client } from '../../test/support/client.ts'
import type { DatabaseName } from '../../test/support/databases.ts'
import { startService } from '../../test/support/service.ts'

export interface Stage {
  admin: Client
  /** An administrator of the other tenant. */
  other: Client
  /** One of the tickets. */
  ticketId: string
  stop(): Promise<void>
}

const ticketsOfOther = 60
const filledAtOnce = 5000
/** The measured caller asks more often than people do. */
const ample = { units: 1e9, windowSeconds: 1 }
const costPolicies = { user: ample, tenant: ample }

const words = 'oak table lamp chair desk shelf green tall printer fire paper broken'.split(' ')

const ticket = entity('ticket', {
  fields: {
    number: sequence(),
    subject: text(),
    description: text({ max: 2000 }).optional(),
    state: oneOf('open', 'closed').default('open'),
  },
  search: ['subject', 'description'],
  actions: {
    fill: {
      run: async (_row, { context }) => {
        for (let n = 0; n < filledAtOnce; n++) {
          const subject = `${word(n)} ${word(n + 3)} of ${word(n * 3)} ${n}`
          const description = Array.from({ length: 20 }, (_each, place) => word(n + place * place)).join(' ')
          await ticket.create(context, { subject, description })
        }
        return {}
      },
    },
  },
})

export async function startStage(database: DatabaseName, rows: number): Promise<Stage> {
  const service = await startService(database, {}, { features: migrated([ticket]), costPolicies })
  const { admin } = await service.newTenant()
  const other = (await service.newTenant()).admin
  const ticketId = (await admin.post('/api/tickets', { subject: 'first' })).body.id
  for (let made = 0; made < rows; made += filledAtOnce) await admin.post(`/api/tickets/${ticketId}/fill`)
  for (let n = 0; n < ticketsOfOther; n++) await other.post('/api/tickets', { subject: `other ${n}` })
  return { admin, other, ticketId, stop: () => service.stop() }
}

function word(n: number): string {
  return words[(n * 7919) % words.length] ?? ''
}
