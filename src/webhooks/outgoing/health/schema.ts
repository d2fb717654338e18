import { type Static, Type } from 'typebox'
import { Timestamp } from '../../../core/schema/schema.ts'
import { maxCountedDeliveries } from './sql.ts'

const HourOfDeliveries = Type.Object({
  hour: { ...Timestamp, description: 'When the hour begins' },
  delivered: Type.Integer({ minimum: 0, description: 'Deliveries that succeeded', examples: [42] }),
  failed: Type.Integer({
    minimum: 0,
    description: 'Deliveries whose last attempt failed: dead ones, and those that wait for a retry',
    examples: [1],
  }),
})

export const HourlyHealth = Type.Object(
  {
    hours: Type.Array(HourOfDeliveries, {
      description: 'The last 24 hours, the present one included, oldest first; by the creation of deliveries',
    }),
    isComplete: Type.Boolean({
      description: `\`false\` if there are more than the newest ${maxCountedDeliveries} deliveries, which are counted`,
    }),
  },
  { $id: 'SubscriptionHealth', description: 'Successes and failures by hour.' },
)

export type HourOfDeliveries = Static<typeof HourOfDeliveries>
export type HourlyHealth = Static<typeof HourlyHealth>
