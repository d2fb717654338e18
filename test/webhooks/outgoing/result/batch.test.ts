/** Attempts of several subscriptions are recorded in one transaction: each subscription is judged by its own. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newId } from '../../../../src/core/id.ts'
import { formatQueueKey } from '../../../../src/webhooks/outgoing/queue/key.ts'
import { recordResults } from '../../../../src/webhooks/outgoing/result/record.ts'
import type { DeliveryResult } from '../../../../src/webhooks/outgoing/result/state.ts'
import { inspect } from '../../../support/database/inspect.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { scenesOfOwn } from '../../scenes.ts'

const dayMs = 24 * 60 * 60 * 1000

onEitherDatabase('Results that are recorded together', (database) => {
  const setScene = scenesOfOwn(database)

  it('warn about a subscription although the attempt of another one has ended later', async () => {
    await using scene = await setScene()
    const watcher = await scene.receiver()
    await scene.subscribe(watcher, { events: ['webhook.*'] }, scene.tenant.admin)
    const receiver = await scene.receiver()
    const failing = await scene.subscribe(receiver, { events: ['thing.*'] })
    const healthy = await scene.subscribe(receiver, { events: ['thing.*'] })
    const endedAt = new Date()
    const before = (days: number) => new Date(endedAt.getTime() - days * dayMs).toISOString()
    await inspect(
      scene.service.config.databaseUrl,
      `UPDATE subscription SET failing_since = '${before(4)}', last_failure_at = '${before(1)}', failing_days = 3
        WHERE id = '${failing}'`,
    )
    const { shared } = await scene.service.service.operator()
    const { id: tenantId } = scene.tenant
    await recordResults(
      shared,
      shared.catalogueDatabase,
      [
        resultOf({ tenantId, subscriptionId: failing }, endedAt, 'failure'),
        resultOf({ tenantId, subscriptionId: healthy }, new Date(endedAt.getTime() + 5), 'success'),
      ],
      [],
    )
    await scene.look()
    assert.deepEqual(
      watcher.requests.map(({ body }) => JSON.parse(body)).map(({ type, data }) => [type, data]),
      [
        [
          'webhook.failing',
          { subscriptionId: failing, url: new URL(receiver.url).origin, failingSince: before(4) },
        ],
      ],
    )
  })
})

/** The result of an attempt whose lease is lost, so that it changes only the health of the subscription. */
function resultOf(
  { tenantId, subscriptionId }: { tenantId: string; subscriptionId: string },
  endedAt: Date,
  outcome: 'success' | 'failure',
): DeliveryResult {
  const moment = endedAt.toISOString()
  return {
    lease: 'lost',
    startedAt: endedAt,
    endedAt,
    outcome: {
      outcome,
      status: outcome === 'success' ? 200 : 500,
      errorClass: outcome === 'success' ? null : 'status',
      retryAfter: null,
      requestHeaders: {},
      responseHeaders: {},
      bodyExcerpt: '',
      durationMs: 1,
    },
    work: {
      tenantId,
      id: newId(),
      subscriptionId,
      key: formatQueueKey({ tenantId, subscriptionId, kind: 'first' }),
      dueAt: moment,
      attempts: 0,
      attemptsBefore: 0,
      eventId: newId(),
      eventType: 'thing.happened',
      eventAt: moment,
      hops: 0,
      origin: null,
      data: '{}',
      bytes: 2,
      target: {
        id: subscriptionId,
        tenant_id: tenantId,
        url: 'https://receiver.example',
        owner: null,
        access: 'user',
        customer: null,
        events: '[]',
        secrets: new Uint8Array(),
        headers: new Uint8Array(),
        retry_seconds: null,
        is_active: true,
        deactivated_at: null,
      },
    },
  }
}
