/** The text of an API key, and the cost of those that strangers make up. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import pg from 'pg'
import { isKeyText, newKeyText } from '../../../src/identity/api-key/key-text.ts'
import { isLockWaiting } from '../../support/database/inspect.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { runSeed } from '../../support/run/extent.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('The text of an API key', () => {
  it('ends with the CRC-32 of its random characters in base 62', () => {
    const [, random = '', checksum = ''] = /^tnt_live_(.{30})(.{6})$/.exec(newKeyText()) ?? []
    const value = [...checksum].reduce((sum, character) => sum * 62 + base62.indexOf(character), 0)
    assert.equal(value, crc32(random))
  })

  it('is refused with any one character changed', () => {
    const position = fc.nat({ max: 44 })
    fc.assert(
      fc.property(position, fc.constantFrom(...base62), (at, character) => {
        const key = newKeyText()
        const changed = `${key.slice(0, at)}${character}${key.slice(at + 1)}`
        assert.equal(isKeyText(changed), changed === key)
      }),
      { seed: runSeed },
    )
  })
})

describe('A made-up API key', () => {
  let service: IdentityService
  before(async () => {
    service = await sharedIdentityService('postgres')
  })
  after(() => service.stop())

  it('costs no query when its checksum is wrong, and none of a key that is known', async () => {
    const input = { name: 'Known', permissions: ['order:read'] }
    const { body } = await service.host.post('/api/api-keys', input)
    const get = (key: string) => service.anonymous.withToken(key).get('/api/orders')
    assert.equal((await get(body.key)).status, 200)
    const holder = new pg.Client({ connectionString: service.config.databaseUrl })
    await holder.connect()
    try {
      await holder.query('BEGIN; LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE')
      const looked = get(newKeyText())
      const isLookedFor = () => isLockWaiting(service.config.databaseUrl, 'relation IS NOT NULL')
      await eventually('the search for a well-formed key', soonMs, isLookedFor)
      assert.equal((await get(`${newKeyText().slice(0, -1)}-`)).status, 401)
      assert.equal((await get(`${body.key}0`)).status, 401)
      assert.equal((await get(body.key)).status, 200)
      await holder.query('ROLLBACK')
      assert.equal((await looked).status, 401)
    } finally {
      await holder.end()
    }
  })

  it('is looked for a hundred times in ten seconds for each client', async () => {
    const get = (key: string, address: string) =>
      service.anonymous.withToken(key).get('/api/orders', { 'x-forwarded-for': address })
    const same = newKeyText()
    const repeated = await Promise.all(Array.from({ length: 105 }, () => get(same, '192.0.2.1')))
    assert.ok(repeated.every(({ status }) => status === 401))
    const guesses = await Promise.all(Array.from({ length: 110 }, () => get(newKeyText(), '192.0.2.1')))
    const refused = guesses.filter(({ status }) => status === 429)
    assert.ok(refused.length > 0 && refused.length <= 11)
    assert.ok(Number(refused[0]?.headers.get('retry-after')) > 0)
    assert.equal((await get(newKeyText(), '192.0.2.2')).status, 401)
  })
})
