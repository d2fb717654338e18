import { type Static, Type } from 'typebox'
import { Uuid } from '../../../core/schema/schema.ts'

export const Received = Type.Object(
  {
    received: Type.Boolean({ description: 'Whether the message is verified and stored', examples: [true] }),
    id: {
      ...Uuid,
      description: 'The id of the receipt, which is the same for repeated messages of one event',
    },
    challenge: Type.Optional(
      Type.String({ description: 'For Slack, which requires it when the address is set up' }),
    ),
  },
  { $id: 'WebhookReceived', description: 'A webhook was received.' },
)

export type Received = Static<typeof Received>
