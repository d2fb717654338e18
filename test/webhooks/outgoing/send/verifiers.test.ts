/** Libraries of others accept deliveries before, during and after a rotation, and nothing else. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { messageBody, messageHeaders } from '../../../../src/webhooks/outgoing/send/signed-message.ts'
import { newSecret } from '../../../../src/webhooks/subscriptions/secret.ts'
import { runsOf } from '../../../support/run/extent.ts'

interface Delivery {
  body: string
  headers: Record<string, string>
}

/** Throws for what it refuses. */
type Verify = (delivery: Delivery, secret: string) => unknown

const stripe = new Stripe('unused')
const verifiers: Record<string, Verify> = {
  stripe: ({ body, headers }, secret) => {
    const header = `t=${headers['X-Webhook-Timestamp']},${headers['X-Webhook-Signature']}`
    return stripe.webhooks.constructEvent(body, header, secret)
  },
  standardwebhooks: ({ body, headers }, secret) => new StandardWebhook(secret).verify(body, headers),
  svix: ({ body, headers }, secret) => new SvixWebhook(secret).verify(body, headers),
}

const former = newSecret()
const current = newSecret()
const stranger = newSecret()

/** Any sequence of 16-bit units: halves of surrogate pairs, null and control characters among them. */
const units = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((codes) => String.fromCharCode(...codes))
const emoji = fc.constantFrom(
  '\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}',
  '\u{1f600}',
  '\ud83d',
  '\ude00',
  '\u2028',
)
const text = fc.oneof(units, emoji, fc.string())
const scalar = fc.oneof(text, fc.double({ noNaN: true }), fc.integer(), fc.boolean(), fc.constant(null))
const payload = fc.oneof(
  { weight: 1, arbitrary: fc.constant({}) },
  {
    weight: 9,
    arbitrary: fc.dictionary(text, fc.oneof(scalar, fc.array(scalar, { maxLength: 4 })), { maxKeys: 5 }),
  },
)
const seed = 20_260_301
const bodies = runsOf(1000, 10_000)
const large = runsOf(1, 4)
/** Kinds of bodies that have to be among them. */
const fewest = bodies / 100

function signedDelivery(data: unknown, secrets: readonly string[]): Delivery {
  const message = {
    id: 'evt_0123',
    type: 'order.created',
    createdAt: '2026-01-31T09:30:00.000Z',
    tenantId: 'acme',
  }
  const body = messageBody({ ...message, data: JSON.stringify(data) })
  return { body, headers: messageHeaders(message, body, secrets, new Date()) }
}

describe('A body that was delivered', () => {
  const payloads: unknown[] = []
  before(() => {
    payloads.push(...fc.sample(payload, { numRuns: bodies - large, seed }))
    for (let index = 0; index < large; index++)
      payloads.push({ text: `${index}\u{1f600}\ud83d`.repeat(200_000) })
  })

  it('is one of very many, with lone surrogates, emoji, empty objects and megabytes among them', () => {
    assert.equal(payloads.length, bodies)
    const texts = payloads.map((data) => JSON.stringify(data))
    assert.ok(texts.filter((json) => /\\ud[89a-f]/.test(json)).length > fewest)
    assert.ok(texts.filter((json) => /\p{Emoji_Presentation}/u.test(json)).length > fewest)
    assert.ok(texts.filter((json) => json === '{}').length > fewest)
    assert.equal(texts.filter((json) => Buffer.byteLength(json) > 1_000_000).length, large)
  })

  it('reads as it was published', () => {
    for (const data of payloads) {
      const read = JSON.parse(Buffer.from(signedDelivery(data, [current]).body).toString())
      assert.equal(JSON.stringify(read.data), JSON.stringify(data))
    }
  })

  for (const [name, verify] of Object.entries(verifiers)) {
    it(`is accepted by ${name} under the former and the new secret while both are live`, () => {
      for (const data of payloads) {
        const delivery = signedDelivery(data, [current, former])
        verify(delivery, former)
        verify(delivery, current)
      }
    })

    it(`is accepted by ${name} under the one secret before and after`, () => {
      for (const data of payloads.slice(0, bodies / 20)) {
        verify(signedDelivery(data, [former]), former)
        verify(signedDelivery(data, [current]), current)
        assert.throws(() => verify(signedDelivery(data, [current]), former), /signature/i)
      }
    })

    it(`is refused by ${name} with one character changed, or under another secret`, () => {
      for (const [index, data] of payloads.slice(0, bodies / 5).entries()) {
        const delivery = signedDelivery(data, [current, former])
        const { body } = delivery
        const place = (index * 7919) % body.length
        const other = body.charAt(place) === 'x' ? 'y' : 'x'
        const changed = `${body.slice(0, place)}${other}${body.slice(place + 1)}`
        assert.throws(() => verify({ ...delivery, body: changed }, current), /signature/i)
        assert.throws(() => verify(delivery, stranger), /signature/i)
      }
    })

    it(`is refused by ${name} at another time than it was signed for`, () => {
      const delivery = signedDelivery({}, [current])
      const later = String(Number(delivery.headers['X-Webhook-Timestamp']) + 1)
      const headers = { ...delivery.headers, 'X-Webhook-Timestamp': later, 'webhook-timestamp': later }
      assert.throws(() => verify({ ...delivery, headers }, current), /signature/i)
    })
  }
})

describe('A secret that the subscriber chose', () => {
  for (const secret of ['s', 'p\u00e4ssw\u00f6rd \u{1f511}', 'whsec_not base64', 'whsec_', 'x'.repeat(256)]) {
    it(`${JSON.stringify(secret.slice(0, 20))} is a key for stripe as it stands`, () => {
      const { stripe: verify } = verifiers
      assert.ok(verify)
      verify(signedDelivery({ a: 1 }, [secret]), secret)
      assert.throws(() => verify(signedDelivery({ a: 1 }, [secret]), `${secret}x`), /signature/i)
    })
  }
})
