import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { rotateKeys } from '../../../src/identity/key/signing-keys.ts'
import type { Client } from '../../support/client.ts'
import { TestClock } from '../../support/clock.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { type Instance, startOther } from '../../support/instance.ts'
import { keyIdOf } from '../../support/key-id.ts'
import { tenantry } from '../../support/process/command-line.ts'
import { type SignedIn, startService, type TestService } from '../../support/service.ts'

onEitherDatabase('A rotation of the signing keys', (database) => {
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

  it('signs new tokens with the new key, and old ones stay good, on every instance', async () => {
    const newKey = await rotateKeys(await service.service.operator(), service.service.keys)
    assert.notEqual(newKey, oldKey)
    const fresh = await service.signIn('admin')
    assert.equal(keyIdOf(fresh.accessToken), newKey)
    for (const client of [service.anonymous, other.anonymous]) {
      for (const token of [old.accessToken, fresh.accessToken]) {
        assert.equal((await client.withToken(token).get('/api/auth/me')).status, 200)
      }
      await eventually('both keys are published', 1000, async () =>
        sameSet(await published(client), [oldKey, newKey]),
      )
    }
  })

  it('lets refresh tokens live on, also on the other instance', async () => {
    const answer = await other.anonymous.post('/api/auth/refresh', { refreshToken: old.refreshToken })
    assert.equal(answer.status, 200)
    assert.notEqual(keyIdOf(answer.body.accessToken), oldKey)
  })

  it('is in the audit of the host tenant', async () => {
    const { body } = await service.host.get('/api/audit?action=key.rotated')
    assert.equal(body.length, 1)
    assert.equal(body[0].actorName, 'operator')
    assert.ok((await published(service.anonymous)).includes(body[0].subjectId))
  })

  it('can be asked for at the command line, beside running instances', async () => {
    const earlier = await published(service.anonymous)
    const { code, stdout, stderr } = await tenantry(['keys', 'rotate'], service)
    assert.equal(code, 0, stderr)
    const [, newKey = ''] = /with key (\S+)\.$/m.exec(stdout) ?? []
    for (const client of [service.anonymous, other.anonymous]) {
      await eventually('the new key', 1000, async () =>
        sameSet(await published(client), [...earlier, newKey]),
      )
    }
    const fresh = await service.signIn('admin')
    assert.equal(keyIdOf(fresh.accessToken), newKey)
    assert.equal((await old.client.get('/api/auth/me')).status, 200)
  })

  it('leaves no private key that could be read', async () => {
    const rows = await inspect(service.config.databaseUrl, 'SELECT * FROM signing_key')
    assert.equal(rows.length, 3)
    for (const { private_key, public_key } of rows) {
      const bytes = Buffer.from(private_key as Uint8Array)
      assert.equal(bytes[0], 2, 'is in another format')
      for (const plain of ['PRIVATE KEY', '"d"', '"kty"']) assert.ok(!bytes.includes(plain), plain)
      // PKCS #8 in DER names the algorithm by this identifier.
      assert.ok(!bytes.includes(Buffer.from('06072a8648ce3d0201', 'hex')))
      assert.ok(!('d' in JSON.parse(String(public_key))))
    }
  })

  it('forgets the old keys once nothing signed by them can live', async () => {
    clock.advance({ minutes: 61 })
    await rotateKeys(await service.service.operator(), service.service.keys)
    const isShort = async () => (await published(service.anonymous)).length === 2
    await eventually('the old keys are gone', 1000, isShort)
  })
})

async function published(client: Client): Promise<string[]> {
  const { body } = await client.get('/.well-known/jwks.json')
  return body.keys.map(({ kid }: { kid: string }) => kid)
}

function sameSet(one: string[], other: string[]): boolean {
  return one.length === other.length && new Set([...one, ...other]).size === one.length
}
