import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { rotateKeys } from '../../../src/identity/key/signing-keys.ts'
import type { Client } from '../../support/client.ts'
import { TestClock } from '../../support/clock.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { type Instance, startOther } from '../../support/instance.ts'
import { keyIdOf } from '../../support/key-id.ts'
import { tenantry } from '../../support/process/command-line.ts'
import { password, type SignedIn, startService, type TestService } from '../../support/service.ts'

const dayMs = 24 * 60 * 60 * 1000

onEachDatabase('A rotation of the signing keys', (database) => {
  const clock = new TestClock()
  let service: TestService
  let other: Instance
  let old: SignedIn
  let oldKey: string
  before(async () => {
    service = await startService(database, {}, { clock: clock.now })
    other = await startOther(service, { clock: clock.now })
    old = await service.signIn('admin')
    oldKey = keyIdOf(old.accessToken)
  })
  after(async () => {
    await other.stop()
    await service.stop()
  })

  const rotate = async (options = {}) =>
    rotateKeys(await service.service.operator(), service.service.keys, options)

  it('can be immediate: the new key signs at once, and old tokens stay good, on every instance', async () => {
    const waiting = await rotate()
    const { keyId } = await rotate({ isImmediate: true })
    const fresh = await service.signIn('admin')
    assert.equal(keyIdOf(fresh.accessToken), keyId)
    for (const client of [service.anonymous, other.anonymous]) {
      for (const token of [old.accessToken, fresh.accessToken])
        assert.equal((await client.withToken(token).get('/api/auth/me')).status, 200)
      await eventually('the keys are published', soonMs, async () =>
        sameSet(await published(client), [oldKey, waiting.keyId, keyId]),
      )
      await eventually('the new key signs', soonMs, async () => (await signingKeyOf(client)) === keyId)
    }
  })

  it('lets refresh tokens live on, also on the other instance', async () => {
    const answer = await other.anonymous.post('/api/auth/refresh', { refreshToken: old.refreshToken })
    assert.equal(answer.status, 200)
    assert.notEqual(keyIdOf(answer.body.accessToken), oldKey)
  })

  it('is in the audit of the host tenant', async () => {
    const { body } = await service.host.get('/api/audit?action=key.rotated')
    assert.equal(body.length, 2)
    assert.equal(body[0].actorName, 'operator')
    assert.ok((await published(service.anonymous)).includes(body[0].subjectId))
    assert.equal(new Date(body[0].detail.signsFrom).toISOString(), body[0].detail.signsFrom)
  })

  it('can be asked for at the command line, beside running instances', async () => {
    const earlier = await published(service.anonymous)
    const { code, stdout, stderr } = await tenantry(['keys', 'rotate'], service)
    assert.equal(code, 0, stderr)
    const [, nextKey = ''] = /^Key (\S+) is published, and signs new tokens from \S+Z\.$/m.exec(stdout) ?? []
    for (const client of [service.anonymous, other.anonymous]) {
      await eventually('the next key', soonMs, async () =>
        sameSet(await published(client), [...earlier, nextKey]),
      )
    }
    assert.notEqual(await signingKeyOf(service.anonymous), nextKey)
    const immediate = await tenantry(['keys', 'rotate', '--now'], service)
    const [, newKey = ''] = /with key (\S+)\.$/m.exec(immediate.stdout) ?? []
    await eventually('the new key', soonMs, async () => (await signingKeyOf(service.anonymous)) === newKey)
    assert.equal((await old.client.get('/api/auth/me')).status, 200)
  })

  it('leaves no private key that could be read', async () => {
    const rows = await inspect(service.config.databaseUrl, 'SELECT * FROM signing_key')
    assert.equal(rows.length, 5)
    for (const { private_key, public_key } of rows) {
      const bytes = Buffer.from(private_key as Uint8Array)
      assert.equal(bytes[0], 2, 'is in another format')
      for (const plain of ['PRIVATE KEY', '"d"', '"kty"']) assert.ok(!bytes.includes(plain), plain)
      // PKCS #8 in DER names the algorithm by this identifier.
      assert.ok(!bytes.includes(Buffer.from('06072a8648ce3d0201', 'hex')))
      assert.ok(!('d' in JSON.parse(String(public_key))))
    }
  })

  it('publishes the new key a day before it signs, on every instance', async () => {
    clock.advance({ minutes: 61 })
    oldKey = await signingKeyOf(service.anonymous)
    const { keyId, signsFrom } = await rotate()
    assert.notEqual(keyId, oldKey)
    assert.ok(Math.abs(Date.parse(signsFrom) - clock.now().getTime() - dayMs) < 60_000)
    for (const client of [service.anonymous, other.anonymous])
      await eventually('both keys are published', soonMs, async () =>
        sameSet(await published(client), [oldKey, keyId]),
      )
    const cached = createLocalJWKSet((await service.anonymous.get('/.well-known/jwks.json')).body)
    clock.advance({ minutes: 23 * 60 })
    for (const instance of [service, other]) assert.equal(await signingKeyOf(instance.anonymous), oldKey)
    clock.advance({ minutes: 59 })
    old = await service.signIn('admin')
    assert.equal(keyIdOf(old.accessToken), oldKey)
    clock.advance({ minutes: 2 })
    for (const instance of [service, other]) {
      const token = await signIn(instance.anonymous)
      assert.equal(keyIdOf(token), keyId)
      for (const accepted of [token, old.accessToken]) {
        await jwtVerify(accepted, cached, { currentDate: clock.now() })
        assert.equal((await instance.anonymous.withToken(accepted).get('/api/auth/me')).status, 200)
      }
    }
  })

  it('that follows another within the day signs a day after its own publication', async () => {
    const first = await rotate()
    clock.advance({ minutes: 12 * 60 })
    const second = await rotate()
    const current = await signingKeyOf(service.anonymous)
    assert.ok(![first.keyId, second.keyId].includes(current))
    clock.advance({ minutes: 12 * 60 + 1 })
    assert.equal(await signingKeyOf(service.anonymous), first.keyId)
    clock.advance({ minutes: 12 * 60 })
    assert.equal(await signingKeyOf(service.anonymous), second.keyId)
  })

  it('forgets the old keys once nothing signed by them can live', async () => {
    const current = await signingKeyOf(service.anonymous)
    clock.advance({ minutes: 61 })
    assert.deepEqual(await published(service.anonymous), [current])
    const { keyId } = await rotate({ isImmediate: true })
    const hasBoth = async () => sameSet(await published(service.anonymous), [current, keyId])
    await eventually('the current key and the new one', soonMs, hasBoth)
  })
})

async function signIn(client: Client): Promise<string> {
  const { body } = await client.post('/api/auth/login', { userName: 'admin', password }, fromAnyAddress())
  return body.accessToken
}

async function signingKeyOf(client: Client): Promise<string> {
  return keyIdOf(await signIn(client))
}

async function published(client: Client): Promise<string[]> {
  const { body } = await client.get('/.well-known/jwks.json')
  return body.keys.map(({ kid }: { kid: string }) => kid)
}

function sameSet(one: string[], other: string[]): boolean {
  return one.length === other.length && new Set([...one, ...other]).size === one.length
}
