/** The presets, tested with examples that their providers publish. */
import assert from 'node:assert/strict'
import { createHmac, hash } from 'node:crypto'
import { describe, it } from 'node:test'
import { sign } from '@octokit/webhooks-methods'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { runSeed, runsOf } from '../../../support/run/extent.ts'
import { accepted, body, type Given, secret, signedAt, verify } from './verdict.ts'

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

  it('accepts what the library of GitHub signs, and no changed byte', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 })
    await fc.assert(
      fc.asyncProperty(text, text, async (key, message) => {
        const headers = { 'x-hub-signature-256': await sign(key, message) }
        const given = { secrets: [key], body: message, headers }
        assert.deepEqual(verify('github', given), accepted)
        assert.deepEqual(verify('github', { ...given, body: `${message} ` }), { refusal: 'mismatch' })
      }),
      { numRuns: runsOf(60, 300), seed: runSeed },
    )
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

describe('The scheme of Twilio', () => {
  // https://www.twilio.com/docs/usage/security, with the example of its libraries
  const address = 'https://mycompany.com/myapp.php?foo=1&bar=2'
  const example: Given = {
    secrets: ['12345'],
    addresses: ['https://inside.example/myapp.php?foo=1&bar=2', address],
    body: 'Digits=1234&To=%2B18005551212&From=%2B14158675309&Caller=%2B14158675309&CallSid=CA1234567890ABCDE',
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
    },
  }

  it('accepts its published example, at the address that was called alone', () => {
    assert.deepEqual(verify('twilio', example), accepted)
    assert.deepEqual(verify('twilio', { ...example, addresses: ['https://other.example/'] }), {
      refusal: 'mismatch',
    })
    assert.deepEqual(verify('twilio', { ...example, body: `${example.body}&More=1` }), {
      refusal: 'mismatch',
    })
    assert.deepEqual(verify('twilio', { ...example, secrets: ['12346'] }), { refusal: 'mismatch' })
  })

  it('accepts JSON whose digest the address has', () => {
    const json = '{"status":"delivered"}'
    const at = `https://mycompany.com/hook?tenant=acme&bodySHA256=${hash('sha256', json)}`
    const signature = createHmac('sha1', '12345').update(at).digest('base64')
    const headers = { 'content-type': 'application/json', 'x-twilio-signature': signature }
    const given = { secrets: ['12345'], addresses: [at], headers, body: json }
    assert.deepEqual(verify('twilio', given), accepted)
    assert.deepEqual(verify('twilio', { ...given, body: '{"status":"failed"}' }), { refusal: 'mismatch' })
  })

  it('refuses other forms', () => {
    for (const form of ['', 'short', `${'a'.repeat(43)}=`, 'RSOYDt4T1cUTdK1PDd93/VVr8B8'])
      assert.deepEqual(
        verify('twilio', { ...example, headers: { ...example.headers, 'x-twilio-signature': form } }),
        {
          refusal: form === '' ? 'missing' : 'malformed',
        },
      )
  })
})
