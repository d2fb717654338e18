/** Webhooks that do not verify are refused with the same message whatever the cause, and leave nothing behind. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import type { Answer } from '../../../support/client.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError, comparable } from '../../../support/error.ts'
import { runSeed, runsOf } from '../../../support/run/extent.ts'
import {
  sharedService,
  startService,
  type TestService,
  type TestTenant,
  uniqueName,
} from '../../../support/service.ts'
import {
  addRule,
  nowSeconds,
  receipts,
  secret,
  send,
  setProvider,
  signed,
} from '../../../support/webhooks/provider.ts'

const text = '{"id":"evt_1","type":"charge.succeeded"}'

onEitherDatabase('A webhook that does not verify', (database) => {
  let service: TestService
  let tenant: TestTenant
  let other: TestTenant
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
    other = await service.newTenant()
    await setProvider(tenant.admin)
    await setProvider(tenant.admin, 'hub', { scheme: 'github' })
    await setProvider(other.admin, 'stripe', { secret: 'whsec_other' })
    await addRule(tenant.user, 'publish')
  })
  after(() => service.stop())

  function attempts(): Promise<Answer>[] {
    const to = (header: string, provider = 'stripe', body = text) =>
      send(service, tenant, body, { [`${provider}-signature`]: header }, provider)
    return [
      send(service, tenant, text, {}),
      to('nonsense'),
      to(signed(text, nowSeconds() - 400)),
      to(signed(text, nowSeconds() + 400)),
      to(signed(text, nowSeconds(), 'whsec_other')),
      to(signed(text), 'stripe', text.replace('1', '2')),
      to(signed(text), 'stripe', ''),
      to(signed(text), 'unknown'),
      to(signed(text, nowSeconds(), 'unknown'), 'unknown'),
      to(signed(text), 'hub'),
      send(service, tenant, text, { 'stripe-signature': signed(text) }, 'n%20o'),
      send(service, tenant, text, { 'stripe-signature': signed(text) }, 'x'.repeat(200)),
      send(service, tenant, text, { 'stripe-signature': signed(text) }, '%00'),
    ]
  }

  it('is 400 in the same words, byte for byte, and is not stored', async () => {
    const answers = await Promise.all(attempts())
    for (const answer of answers) assertError(answer, 400, /could not be verified/)
    for (const answer of answers) assert.deepEqual(comparable(answer), comparable(answers[0] as Answer)) // the first
    assert.deepEqual(await receipts(tenant.user), [])
  })

  it('is one with the secret of another tenant', async () => {
    const header = { 'stripe-signature': signed(text) }
    assert.equal((await send(service, other, text, header)).status, 400)
    assert.equal((await send(service, tenant, text, header)).status, 200)
  })

  it('is one that was altered on its way, and the original is still accepted', async () => {
    const body = '{"id":"evt_2","type":"charge.succeeded"}'
    const header = { 'stripe-signature': signed(body) }
    assert.equal((await send(service, tenant, body.replace('succeeded', 'refunded!'), header)).status, 400)
    assert.equal((await send(service, tenant, body, header)).status, 200)
  })

  it('is any with arbitrary headers: never accepted, never a 500', async () => {
    const parts = fc.constantFrom(
      't=',
      `t=${nowSeconds()}`,
      'v1=',
      ',',
      `v1=${'0'.repeat(64)}`,
      'sha256=',
      ' ',
    )
    const value = fc
      .array(fc.oneof(parts, fc.stringMatching(/^[\x21-\x7e\xa1-\xff]*$/)), { maxLength: 6 })
      .map((found) => found.join('').trim())
    const never = fc.asyncProperty(value, value, async (stripe, hub) => {
      const { app } = service.service
      for (const [provider, name] of [
        ['stripe', 'stripe-signature'],
        ['hub', 'x-hub-signature-256'],
      ] as const) {
        const answer = await app.inject({
          method: 'POST',
          url: `/api/webhooks/receive/${provider}?tenant=${tenant.id}`,
          headers: { 'content-type': 'application/json', [name]: provider === 'stripe' ? stripe : hub },
          payload: text,
        })
        assert.equal(answer.statusCode, 400, answer.payload)
      }
    })
    await fc.assert(never, { numRuns: runsOf(60, 500), seed: runSeed })
  })

  it('is any of a provider that was deleted', async () => {
    const own = await service.newTenant()
    await setProvider(own.admin)
    assert.equal((await send(service, own, text)).status, 200)
    assert.equal((await own.admin.delete('/api/webhooks/providers/stripe')).status, 204)
    assert.equal((await send(service, own, text)).status, 400)
  })
})

onEitherDatabase('The presets', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const hmac = (of: string, encoding: 'hex' | 'base64', key: string | Buffer = secret) =>
    createHmac('sha256', key).update(of).digest(encoding)
  const at = nowSeconds()
  const standard = hmac(`msg_1.${at}.{}`, 'base64', Buffer.from(secret.slice(6), 'base64'))

  const slackHeaders = (body: string): Record<string, string> => ({
    'x-slack-signature': `v0=${hmac(`v0:${at}:${body}`, 'hex')}`,
    'x-slack-request-timestamp': `${at}`,
  })

  const presets: [scheme: string, body: string, headers: Record<string, string>, expected: object][] = [
    [
      'github',
      '{"action":"opened"}',
      {
        'x-hub-signature-256': `sha256=${hmac('{"action":"opened"}', 'hex')}`,
        'x-github-event': 'issues',
        'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
      },
      { eventId: '72d3162e-cc78-11e3-81ab-4c9367dc0958', eventType: 'issues' },
    ],
    [
      'shopify',
      '{"id":1}',
      {
        'x-shopify-hmac-sha256': hmac('{"id":1}', 'base64'),
        'x-shopify-topic': 'orders/create',
        'x-shopify-webhook-id': 'b54557e4',
      },
      { eventId: 'b54557e4', eventType: 'orders/create' },
    ],
    [
      'shopify',
      '{"id":1,"type":"chargeback","event":"x"}',
      {
        'x-shopify-hmac-sha256': hmac('{"id":1,"type":"chargeback","event":"x"}', 'base64'),
        'x-shopify-topic': 'disputes/create',
      },
      { eventId: null, eventType: 'disputes/create' },
    ],
    [
      'github',
      '{"type":"from-the-body"}',
      {
        'x-hub-signature-256': `sha256=${hmac('{"type":"from-the-body"}', 'hex')}`,
        'x-github-event': 'push',
      },
      { eventId: null, eventType: 'push' },
    ],
    [
      'slack',
      '{"type":"event_callback","event_id":"Ev1","event":{"type":"app_mention"}}',
      slackHeaders('{"type":"event_callback","event_id":"Ev1","event":{"type":"app_mention"}}'),
      { eventId: 'Ev1', eventType: 'app_mention' },
    ],
    [
      'slack',
      '{"type":"app_rate_limited","minute_rate_limited":1518467820}',
      slackHeaders('{"type":"app_rate_limited","minute_rate_limited":1518467820}'),
      { eventId: null, eventType: 'app_rate_limited' },
    ],
    ['slack', '{"event":{"type":7}}', slackHeaders('{"event":{"type":7}}'), { eventType: null }],
    [
      'standard-webhooks',
      '{}',
      {
        'webhook-id': 'msg_1',
        'webhook-timestamp': `${at}`,
        'webhook-signature': `v1,${standard}`,
      },
      { eventId: 'msg_1', eventType: null },
    ],
    [
      'standard-webhooks',
      '{"type":"invoice.paid"}',
      {
        'svix-id': 'msg_2',
        'svix-timestamp': `${at}`,
        'svix-signature': `v1,${hmac(`msg_2.${at}.{"type":"invoice.paid"}`, 'base64', Buffer.from(secret.slice(6), 'base64'))}`,
      },
      { eventId: 'msg_2', eventType: 'invoice.paid' },
    ],
  ]
  for (const [scheme, body, headers, expected] of presets) {
    it(`know the event and its type: ${scheme}, ${body}`, async () => {
      const provider = uniqueName(scheme)
      await setProvider(tenant.admin, provider, { scheme })
      const first = await send(service, tenant, body, headers, provider)
      assert.equal(first.status, 200, first.text)
      assert.deepEqual((await send(service, tenant, body, headers, provider)).body, first.body)
      const [found, ...more] = await receipts(tenant.user, `&provider=${provider}`)
      assert.equal(more.length, 0)
      assert.deepEqual({ ...found, ...expected }, found)
    })
  }

  it('tell the challenge back to Slack, which asks for it in its set-up', async () => {
    await setProvider(tenant.admin, 'slack', { scheme: 'slack' })
    const body = '{"type":"url_verification","challenge":"3eZbrw1a"}'
    const headers = {
      'x-slack-signature': `v0=${hmac(`v0:${at}:${body}`, 'hex')}`,
      'x-slack-request-timestamp': `${at}`,
    }
    assert.equal((await send(service, tenant, body, headers, 'slack')).body.challenge, '3eZbrw1a')
    const forged = { ...headers, 'x-slack-signature': `v0=${'0'.repeat(64)}` }
    assert.equal((await send(service, tenant, body, forged, 'slack')).status, 400)
  })

  it('read the JSON in a form, as GitHub can be set to send it', async () => {
    await setProvider(tenant.admin, 'form', { scheme: 'github' })
    const body = `payload=${encodeURIComponent('{"type":"from-the-form"}')}`
    const headers = {
      'x-hub-signature-256': `sha256=${hmac(body, 'hex')}`,
      'content-type': 'application/x-www-form-urlencoded',
    }
    await send(service, tenant, body, headers, 'form')
    const [found] = await receipts(tenant.user, '&provider=form')
    assert.equal(found.eventType, 'from-the-form')
  })
})
