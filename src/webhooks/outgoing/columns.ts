/** The schemas of stored values of deliveries. The import of an archive validates its rows with them. */
import { Type } from 'typebox'
import { EventId, EventName } from '../../core/events/columns.ts'
import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { Count, JsonText } from '../../core/schema/stored.ts'
import { Attempt, Delivery } from './log/schema.ts'

const { number, durationMs, requestHeaders, responseHeaders } = Attempt.properties

export const deliveryColumns: ColumnSchemas = {
  delivery: {
    event_id: EventId,
    event_type: EventName,
    kind: Type.Enum(['EVENT', 'REPLAY', 'TEST']),
    status: Delivery.properties.status,
    attempts: Count,
    attempts_before: Count,
  },
  attempt: {
    number,
    duration_ms: durationMs,
    outcome: Type.Enum(['success', 'failure']),
    status: Type.Integer({ minimum: 100, maximum: 999 }),
    request_headers: JsonText(requestHeaders),
    response_headers: JsonText(responseHeaders),
  },
}
