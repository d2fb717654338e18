import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  codeOf,
  fromBase32,
  matchingStep,
  otpauthUrl,
  stepAt,
  toBase32,
} from '../../../src/identity/second-factor/totp.ts'

/** The secret of RFC 6238, appendix B, and of RFC 4226, appendix D. */
const secret = Buffer.from('12345678901234567890')

describe('A one-time password by time', () => {
  const vectors: [seconds: number, code: string][] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ]
  for (const [seconds, code] of vectors) {
    it(`is that of RFC 6238 after ${seconds} seconds`, () => {
      assert.equal(codeOf(secret, stepAt(new Date(seconds * 1000)), 8), code)
    })
  }

  const counted = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ')
  it('is that of RFC 4226 for each counter', () => {
    assert.deepEqual(
      counted.map((_, counter) => codeOf(secret, counter)),
      counted,
    )
  })

  it('is accepted one step early or late, and not two', () => {
    const at = (seconds: number) => matchingStep(secret, codeOf(secret, 100), new Date(seconds * 1000))
    assert.deepEqual([2939, 2969, 2970, 3000, 3029, 3059, 3060].map(at), [
      null,
      null,
      100,
      100,
      100,
      100,
      null,
    ])
  })

  it('has a secret in the base32 of RFC 4648', () => {
    const known = {
      f: 'MY',
      fo: 'MZXQ',
      foo: 'MZXW6',
      foob: 'MZXW6YQ',
      fooba: 'MZXW6YTB',
      foobar: 'MZXW6YTBOI',
    }
    for (const [text, coded] of Object.entries(known)) {
      assert.equal(toBase32(Buffer.from(text)), coded)
      assert.equal(Buffer.from(fromBase32(coded)).toString(), text)
    }
  })

  it('has an address for apps, in which names are escaped', () => {
    const url = otpauthUrl('MZXW6', { issuer: 'Acme & Söhne: Büro', account: 'ada@x' })
    assert.match(url, /^otpauth:\/\/totp\/Acme%20%26%20S%C3%B6hne%3A%20B%C3%BCro:ada%40x\?secret=MZXW6&/)
    assert.equal(new URL(url).searchParams.get('issuer'), 'Acme & Söhne: Büro')
  })
})
