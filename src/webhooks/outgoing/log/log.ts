/** A delivery with its event and every attempt. */
import type { Context } from '../../../core/context.ts'
import { refusal, type ServiceError } from '../../../core/errors.ts'
import { parseKeepingNumbers } from '../../../core/schema/exact-number.ts'
import { deliveries } from './readable.ts'
import type { DeliveryWithAttempts } from './schema.ts'
import { attemptsOf, findEvent } from './sql.ts'

/** @throws ServiceError `notFound` */
export async function getDelivery(context: Context, id: string): Promise<DeliveryWithAttempts> {
  const delivery = await deliveries.show(context, id)
  const event = await findEvent(context.data, delivery.eventId)
  if (event === null) throw noSuchDelivery()
  const attempts = await attemptsOf(context.data, delivery.id)
  return {
    ...delivery,
    event: { ...event, data: parseKeepingNumbers(event.data) },
    attemptLog: attempts.map((attempt) => ({
      ...attempt,
      requestHeaders: JSON.parse(attempt.requestHeaders) as Record<string, string>, // written by `attemptRow`
      responseHeaders: JSON.parse(attempt.responseHeaders) as Record<string, string>, // written by `attemptRow`
    })),
  }
}

export function noSuchDelivery(): ServiceError {
  return refusal('noSuch', { label: 'delivery' })
}
