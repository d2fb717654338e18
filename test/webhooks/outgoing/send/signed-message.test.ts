/** The headers that authenticate a delivery. `verifiers.test.ts` tests them with the libraries of others. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  messageBody,
  messageHeaders,
  signatureHeaders,
} from '../../../../src/webhooks/outgoing/send/signed-message.ts'

const event = { id: 'evt_01' }

describe('The signature', () => {
  it('is HMAC-SHA256 over `{timestamp}.{body}` in hex, keyed with the bytes of the whole secret', () => {
    // printf '1700000000.{"a":"\xc3\xa9"}' | openssl dgst -sha256 -hmac 'whsec_AAAA'
    const { 'X-Webhook-Signature': signature } = signatureHeaders(event, 1_700_000_000, '{"a":"é"}', [
      'whsec_AAAA',
    ])
    assert.equal(signature, 'v1=465983db4f558ece4090c80241759e7f0e66a56bff4c115d15b74134765071e4')
  })

  it('of Standard Webhooks is that of its own example', () => {
    const headers = signatureHeaders(
      { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek' },
      1_614_265_330,
      '{"test": 2432232314}',
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    )
    assert.equal(headers['webhook-id'], 'msg_p5jXN8AQM9LWM0D4loKWxJek')
    assert.equal(headers['webhook-timestamp'], '1614265330')
    assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  it('is the same for text and for its bytes', () => {
    const text = '{"a":"\u{1f600}"}'
    assert.deepEqual(
      signatureHeaders(event, 1, text, ['a']),
      signatureHeaders(event, 1, Buffer.from(text), ['a']),
    )
  })

  it('is there once for each secret, the newest first', () => {
    const [one, other] = ['whsec_AAAA', 'whsec_BBBB'].map((secret) =>
      signatureHeaders(event, 1, '{}', [secret]),
    )
    const both = signatureHeaders(event, 1, '{}', ['whsec_AAAA', 'whsec_BBBB'])
    assert.equal(
      both['X-Webhook-Signature'],
      `${one?.['X-Webhook-Signature']},${other?.['X-Webhook-Signature']}`,
    )
    assert.equal(both['webhook-signature'], `${one?.['webhook-signature']} ${other?.['webhook-signature']}`)
  })

  for (const secret of [
    'secret',
    'whsec_',
    'whsec_AAA',
    'whsec_AB==',
    'whsec_AAA-',
    'whsec_ AAAA',
    'WHSEC_AAAA',
  ]) {
    it(`of Standard Webhooks is left out for the secret ${secret}, which is not of its form`, () => {
      const headers = signatureHeaders(event, 1, '{}', [secret])
      assert.deepEqual(Object.keys(headers), ['X-Webhook-Id', 'X-Webhook-Timestamp', 'X-Webhook-Signature'])
    })
  }

  it('of Standard Webhooks is there for those secrets of a rotation that are of its form', () => {
    const both = signatureHeaders(event, 1, '{}', ['plain', 'whsec_BBBB'])
    assert.equal(both['X-Webhook-Signature']?.split(',').length, 2)
    assert.equal(
      both['webhook-signature'],
      signatureHeaders(event, 1, '{}', ['whsec_BBBB'])['webhook-signature'],
    )
  })
})

describe('The message', () => {
  const message = { id: 'evt_01', type: 'a.b', createdAt: '2026-01-31T09:30:00.000Z', tenantId: 'acme' }

  it('has the members in their order, and the payload as it is stored', () => {
    assert.equal(
      messageBody({ ...message, data: '{"price": 1.10}' }),
      '{"id":"evt_01","type":"a.b","timestamp":"2026-01-31T09:30:00.000Z","tenantId":"acme","data":{"price": 1.10}}',
    )
  })

  it('is sent as plain JSON, with the whole second of the attempt', () => {
    const headers = messageHeaders(message, '{}', ['secret'], new Date('2026-01-31T09:30:59.999Z'))
    assert.equal(headers['Content-Type'], 'application/json')
    assert.equal(headers['X-Webhook-Id'], 'evt_01')
    assert.equal(headers['X-Webhook-Timestamp'], String(Date.UTC(2026, 0, 31, 9, 30, 59) / 1000))
    assert.match(headers['User-Agent'] ?? '', /^Tenantry\/\d/)
  })
})
