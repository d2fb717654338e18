/** The signature schemes, tested with published examples. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import Stripe from 'stripe'
import type { SignatureVerdict } from '../../../../src/webhooks/incoming/signature/message.ts'
import { schemeNames } from '../../../../src/webhooks/incoming/signature/scheme.ts'
import { anyText } from '../../../support/any-text.ts'
import { runSeed, runsOf } from '../../../support/run/extent.ts'
import { accepted, body, type Given, secret, signedAt, verify } from './verdict.ts'

const stripe = new Stripe('sk_test_none')

function stripeHeader(options: { timestamp?: number; key?: string; payload?: string } = {}): string {
  const { timestamp = signedAt, key = secret, payload = body } = options
  return stripe.webhooks.generateTestHeaderString({ payload, secret: key, timestamp })
}

function verifyStripe(header: string, given: Given = {}): SignatureVerdict {
  return verify('stripe', { headers: { 'stripe-signature': header }, ...given })
}

const [, digest = ''] = stripeHeader().split(',v1=')

describe('The specified scheme', () => {
  it('accepts what the library of Stripe signs', () => {
    assert.deepEqual(verifyStripe(stripeHeader()), accepted)
  })

  it('has the name of the provider in its header', () => {
    const headers = { 'acme-pay-signature': stripeHeader() }
    assert.deepEqual(verify('stripe', { headers, provider: 'acme-pay' }), accepted)
    assert.deepEqual(verify('stripe', { headers }), { refusal: 'missing' })
  })

  const variants: [string, string][] = [
    ['reordered parts', `v1=${digest},t=${signedAt}`],
    ['blanks behind commas', `t=${signedAt}, v1=${digest}`],
    ['parts of other schemes', `t=${signedAt},v0=${'0'.repeat(64)},v1=${digest},v2=x`],
    ['several v1, any of which matches', `t=${signedAt},v1=${'0'.repeat(64)},v1=${digest}`],
    ['a v1 of another form beside a good one', `t=${signedAt},v1=short,v1=${digest}`],
    ['the same v1 twice', `t=${signedAt},v1=${digest},v1=${digest}`],
  ]
  for (const [title, header] of variants) {
    it(`takes ${title}`, () => assert.deepEqual(verifyStripe(header), accepted))
  }

  const malformed: [string, string][] = [
    ['no timestamp', `v1=${digest}`],
    ['no v1', `t=${signedAt}`],
    ['two timestamps', `t=${signedAt},t=${signedAt},v1=${digest}`],
    ['a timestamp that is no number', `t=now,v1=${digest}`],
    ['a negative timestamp', `t=-1,v1=${digest}`],
    ['a timestamp with a fraction', `t=${signedAt}.0,v1=${digest}`],
    ['an exponent', `t=17e8,v1=${digest}`],
    ['an empty v1', `t=${signedAt},v1=`],
    ['a v1 that is too short', `t=${signedAt},v1=${digest.slice(1)}`],
    ['a v1 in base64', `t=${signedAt},v1=${Buffer.from(digest, 'hex').toString('base64')}`],
    ['names in capitals', `T=${signedAt},V1=${digest}`],
    ['blanks around the equals sign', `t = ${signedAt},v1 = ${digest}`],
    ['another separator', `t=${signedAt};v1=${digest}`],
    ['no parts at all', ','],
    ['more signatures than anybody sends', `t=${signedAt}${`,v1=${'0'.repeat(64)}`.repeat(20)},v1=${digest}`],
    ['a header that is too long', `t=${signedAt},v1=${digest},x=${'x'.repeat(4096)}`],
  ]
  for (const [title, header] of malformed) {
    it(`refuses ${title}`, () => assert.deepEqual(verifyStripe(header), { refusal: 'malformed' }))
  }

  it('refuses a signature that is there under no or an empty header', () => {
    assert.deepEqual(verify('stripe', {}), { refusal: 'missing' })
    assert.deepEqual(verifyStripe(''), { refusal: 'missing' })
  })

  it('takes a clock that differs by the tolerance, either way, and no more', () => {
    for (const [differs, verdict] of [
      [300, accepted],
      [-300, accepted],
      [301, { refusal: 'untimely' }],
      [-301, { refusal: 'untimely' }],
    ] as const) {
      assert.deepEqual(verifyStripe(stripeHeader(), { now: signedAt + differs }), verdict, `${differs}`)
    }
    const patient = { now: signedAt + 301, toleranceSeconds: 400 }
    assert.deepEqual(verifyStripe(stripeHeader(), patient), accepted)
  })

  it('refuses another timestamp than was signed', () => {
    assert.deepEqual(verifyStripe(`t=${signedAt + 1},v1=${digest}`), { refusal: 'mismatch' })
  })

  it('refuses a body of which any byte has changed', () => {
    for (let place = 0; place < Buffer.byteLength(body); place++) {
      const changed = Buffer.from(body)
      changed[place] = (changed[place] ?? 0) ^ 1
      assert.deepEqual(verifyStripe(stripeHeader(), { body: changed }), { refusal: 'mismatch' }, `${place}`)
    }
  })

  it('says which of two secrets has signed', () => {
    const secrets = ['whsec_new', secret]
    assert.deepEqual(verifyStripe(stripeHeader(), { secrets }), { secret: 1 })
    assert.deepEqual(verifyStripe(stripeHeader({ key: 'whsec_new' }), { secrets }), accepted)
    assert.deepEqual(verifyStripe(stripeHeader({ key: 'whsec_old' }), { secrets }), { refusal: 'mismatch' })
  })

  it('accepts nothing without a secret, nor with an empty one', () => {
    const header = stripeHeaderWithKey('')
    assert.deepEqual(verifyStripe(header, { secrets: [] }), { refusal: 'mismatch' })
    assert.deepEqual(verifyStripe(header, { secrets: [''] }), { refusal: 'mismatch' })
  })

  it('accepts whatever text Stripe signs', () => {
    const all = fc.property(anyText(200), fc.string({ minLength: 1 }), (payload, key) => {
      const header = stripeHeader({ payload, key })
      assert.deepEqual(verifyStripe(header, { body: payload, secrets: [key] }), accepted)
    })
    fc.assert(all, { numRuns: runsOf(60, 300), seed: runSeed })
  })
})

/** The library refuses to sign with nothing. */
function stripeHeaderWithKey(key: string): string {
  return `t=${signedAt},v1=${createHmac('sha256', key).update(`${signedAt}.${body}`).digest('hex')}`
}

describe('Every scheme', () => {
  const names = [
    ...['stripe-signature', 'x-hub-signature-256', 'x-shopify-hmac-sha256', 'x-slack-signature'],
    ...['x-slack-request-timestamp', 'webhook-id', 'webhook-timestamp', 'webhook-signature'],
  ]
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom('t=', 'v1=', 'v0=', 'v1,', 'sha256=', ',', ' ', '=', '\0', `${signedAt}`),
    fc.stringMatching(/^[0-9a-f]{64}$/),
    fc.base64String({ minLength: 44, maxLength: 44 }),
    anyText(10),
  )
  const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
  const headers = fc.record(Object.fromEntries(names.map((name) => [name, text])))

  for (const scheme of schemeNames) {
    it(`refuses arbitrary headers without failing: ${scheme}`, () => {
      const never = fc.property(headers, (given) => {
        assert.ok('refusal' in verify(scheme, { headers: given }))
      })
      fc.assert(never, { numRuns: runsOf(200, 3000), seed: runSeed })
    })
  }

  it('judges a body of 1 MiB at little more than the cost of its digest', () => {
    const payload = 'x'.repeat(1_048_576)
    const header = stripeHeader({ payload })
    const large = Buffer.from(payload)
    const digestOnly = () => createHmac('sha256', 'secret').update(large).digest()
    const judge = () => assert.deepEqual(verifyStripe(header, { body: large }), accepted)
    const [floor, cost] = [leastMs(digestOnly), leastMs(judge)]
    assert.ok(cost <= 5 * floor, `${cost} ms, a digest ${floor} ms`)
  })
})

/** Of several runs: other processes slow some of them down. */
function leastMs(work: () => void): number {
  const times = Array.from({ length: 21 }, () => {
    const began = performance.now()
    work()
    return performance.now() - began
  })
  return Math.min(...times)
}
