/** A feature whose action fails as often as a test wants, after it has changed something. */
import { Type } from 'typebox'
import type { Actor, IncomingEvent } from '../../../src/core/context.ts'
import type { EventCatalogue } from '../../../src/core/events/event-type.ts'
import { writeEvent } from '../../../src/core/events/publish.ts'
import { action } from '../../../src/core/feature/action.ts'
import type { Feature } from '../../../src/core/feature/feature.ts'

export interface Mood {
  /** How often it still fails for that tenant. */
  failures: number
  tenantId: string
  /** Each attempt. */
  seen: { event: IncomingEvent; tenantId: string; actor: Actor | null; hops: number }[]
}

const events: EventCatalogue = {
  'flaky.done': { summary: 'It was done.', payload: Type.Object({ amount: Type.Number() }) },
}

export function flakyFeature(mood: Mood): Feature {
  return {
    name: 'flaky',
    events,
    actions: {
      'flaky.try': action({
        access: 'user',
        payload: Type.Object({ data: Type.Object({ amount: Type.Number() }) }),
        run: async (context, event) => {
          const { tenant, actor, hops } = context
          mood.seen.push({ event, tenantId: tenant.id, actor, hops })
          await writeEvent(context, 'flaky.done', event.payload.data, tenant.id)
          if (tenant.id === mood.tenantId && mood.failures-- > 0)
            throw new Error('The other side is not in the mood.')
        },
      }),
    },
  }
}
