/** The schemes, judged by what others publish of them. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import type { SignedMessage, Verdict } from '../../src/incoming/signature/message.ts'
import { type SchemeName, schemeNames, schemeOf } from '../../src/incoming/signature/scheme.ts'
import { anyText } from '../harness/any-text.ts'

const signedAt = 1_700_000_000
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"id":"evt_1","type":"charge.succeeded","note":"é"}'

interface Given extends Partial<Omit<SignedMessage, 'body' | 'now'>> {
  body?: string | Uint8Array
  /** Seconds. */
  now?: number
}

function verify(scheme: SchemeName, given: Given): Verdict {
  return schemeOf(scheme).verify({
    provider: 'stripe',
    headers: {},
    secrets: [secret],
    toleranceSeconds: 300,
    ...given,
    body: Buffer.from(given.body ?? body),
    now: new Date((given.now ?? signedAt) * 1000),
  })
}

const stripe = new Stripe('sk_test_none')

function stripeHeader(options: { timestamp?: number; key?: string; payload?: string } = {}): string {
  const { timestamp = signedAt, key = secret, payload = body } = options
  return stripe.webhooks.generateTestHeaderString({ payload, secret: key, timestamp })
}

function verifyStripe(header: string, given: Given = {}): Verdict {
  return verify('stripe', { headers: { 'stripe-signature': header }, ...given })
}

const accepted = { secret: 0 }
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
    fc.assert(all, { numRuns: 300 })
  })
})

/** The library refuses to sign with nothing. */
function stripeHeaderWithKey(key: string): string {
  return `t=${signedAt},v1=${createHmac('sha256', key).update(`${signedAt}.${body}`).digest('hex')}`
}

describe('The scheme of GitHub', () => {
  // https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
  const example = {
    secrets: ["It's a Secret to Everybody"],
    body: 'Hello, World!',
    headers: {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
  }

  it('accepts its published example', () => {
    assert.deepEqual(verify('github', example), accepted)
    assert.deepEqual(verify('github', { ...example, body: 'Hello, World?' }), { refusal: 'mismatch' })
    assert.deepEqual(verify('github', { ...example, secrets: [secret] }), { refusal: 'mismatch' })
  })

  it('refuses other forms, the former SHA-1 among them', () => {
    const header = example.headers['x-hub-signature-256']
    const forms = [header.slice(7), header.replace('256', '1'), `${header},${header}`, header.toUpperCase()]
    for (const form of forms) {
      const headers = { 'x-hub-signature-256': form }
      assert.deepEqual(verify('github', { ...example, headers }), { refusal: 'malformed' }, form)
    }
    const headers = { 'x-hub-signature': 'sha1=d03207e4b030cf234e3447bac4d93add4c6643d8' }
    assert.deepEqual(verify('github', { ...example, headers }), { refusal: 'missing' })
  })
})

describe('The scheme of Slack', () => {
  // https://docs.slack.dev/authentication/verifying-requests-from-slack
  const example = {
    secrets: ['8f742231b10e8888abcd99yyyzzz85a5'],
    now: 1_531_420_618,
    body:
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V' +
      '&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=' +
      '&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN' +
      '&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    headers: {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
  }

  it('accepts its documented example', () => {
    assert.deepEqual(verify('slack', example), accepted)
    assert.deepEqual(verify('slack', { ...example, body: `${example.body}&` }), { refusal: 'mismatch' })
  })

  it('is bound to its time, either way', () => {
    for (const differs of [301, -301]) {
      assert.deepEqual(verify('slack', { ...example, now: example.now + differs }), { refusal: 'untimely' })
    }
  })

  it('needs both headers', () => {
    for (const name of Object.keys(example.headers)) {
      const headers = { ...example.headers, [name]: undefined }
      assert.deepEqual(verify('slack', { ...example, headers }), { refusal: 'missing' }, name)
    }
  })
})

describe('The scheme of Standard Webhooks', () => {
  const example = {
    now: 1_614_265_330,
    body: '{"test": 2432232314}',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
  }
  const verifyWith = (headers: Record<string, string>, given: Given = {}) =>
    verify('standard-webhooks', { ...example, headers: { ...example.headers, ...headers }, ...given })

  it('accepts its published example', () => {
    assert.deepEqual(verifyWith({}), accepted)
    assert.deepEqual(verifyWith({}, { secrets: [secret.slice('whsec_'.length)] }), accepted)
    assert.deepEqual(verifyWith({}, { body: '{"test":2432232314}' }), { refusal: 'mismatch' })
    assert.deepEqual(verifyWith({ 'webhook-id': 'msg_other' }), { refusal: 'mismatch' })
  })

  it('accepts what its library signs, among several signatures', () => {
    const signature = new Webhook(secret).sign('msg_2', new Date(signedAt * 1000), body)
    const headers = { 'webhook-id': 'msg_2', 'webhook-timestamp': `${signedAt}` }
    const several = `v1a,abc v1,${'A'.repeat(43)}= ${signature}`
    const given = { now: signedAt, body }
    assert.deepEqual(verifyWith({ ...headers, 'webhook-signature': several }, given), accepted)
  })

  it('knows no key in a secret that is not base64', () => {
    const empty = createHmac('sha256', '').update(`msg_1.${signedAt}.${body}`).digest('base64')
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': `${signedAt}` }
    const given = { now: signedAt, body, secrets: ['whsec_', 'whsec_***'] }
    assert.deepEqual(verifyWith({ ...headers, 'webhook-signature': `v1,${empty}` }, given), {
      refusal: 'mismatch',
    })
  })
})

describe('The scheme of Shopify', () => {
  // As its documentation computes it: openssl dgst -sha256 -hmac hush -binary | base64
  const example = {
    secrets: ['hush'],
    body: '{"id":820982911946154508}',
    headers: { 'x-shopify-hmac-sha256': 'qBvrsZF7RfB1iS6BX6IHqJTp5L911P7intnPeTPsH0I=' },
  }

  it('accepts what openssl signs as its documentation says', () => {
    assert.deepEqual(verify('shopify', example), accepted)
    assert.deepEqual(verify('shopify', { ...example, body: '{}' }), { refusal: 'mismatch' })
  })

  it('refuses hexadecimal and half of a digest', () => {
    const header = example.headers['x-shopify-hmac-sha256']
    for (const form of [Buffer.from(header, 'base64').toString('hex'), header.slice(1), `${header}=`]) {
      const headers = { 'x-shopify-hmac-sha256': form }
      assert.deepEqual(verify('shopify', { ...example, headers }), { refusal: 'malformed' }, form)
    }
  })
})

describe('Every scheme', () => {
  const names = [
    ...['stripe-signature', 'x-hub-signature-256', 'x-shopify-hmac-sha256', 'x-slack-signature'],
    ...['x-slack-request-timestamp', 'webhook-id', 'webhook-timestamp', 'webhook-signature'],
  ]
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom('t=', 'v1=', 'v0=', 'v1,', 'sha256=', ',', ' ', '=', `${signedAt}`),
    fc.stringMatching(/^[0-9a-f]{64}$/),
    fc.base64String({ minLength: 44, maxLength: 44 }),
    fc.string({ unit: 'binary' }),
  )
  const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
  const headers = fc.record(Object.fromEntries(names.map((name) => [name, text])))

  for (const scheme of schemeNames) {
    it(`refuses arbitrary headers without failing: ${scheme}`, () => {
      const never = fc.property(headers, (given) => {
        assert.ok('refusal' in verify(scheme, { headers: given }))
      })
      fc.assert(never, { numRuns: 3000 })
    })
  }

  it('judges a body of 1 MiB within 5 ms', () => {
    const payload = 'x'.repeat(1_048_576)
    const header = stripeHeader({ payload })
    const large = Buffer.from(payload)
    const times = Array.from({ length: 21 }, () => {
      const began = performance.now()
      assert.deepEqual(verifyStripe(header, { body: large }), accepted)
      return performance.now() - began
    })
    const median = times.toSorted((one, other) => one - other)[10] ?? Number.POSITIVE_INFINITY
    assert.ok(median <= 5, `${median} ms`)
  })
})
