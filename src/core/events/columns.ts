import { Type } from 'typebox'
import type { ColumnSchemas } from '../feature/stored-table.ts'
import { Count, JsonText } from '../schema/stored.ts'

/** The forms of the columns of events, against which the rows of an imported archive are validated. */

export const EventId = Type.String({
  pattern: '^evt_[0-9a-hjkmnp-tv-z]{26}$',
  'x-reason': 'must be the id of an event',
})
export const EventName = Type.String({ maxLength: 100, pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)+$' })

const anyObject = Type.Object({}, { additionalProperties: true })

export const eventColumns: ColumnSchemas = {
  event: {
    id: EventId,
    type: EventName,
    data: JsonText(anyObject),
    state: JsonText(anyObject),
    hops: Count,
    position: Count,
  },
}
