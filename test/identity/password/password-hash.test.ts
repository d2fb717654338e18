import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Argon2Passwords, defaultPasswordCost } from '../../../src/identity/password/argon2.ts'
import { HashQueue } from '../../../src/identity/password/hash-queue.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { password, person, uniqueName } from '../../support/service.ts'
import { enormous, setHash, weakHash } from '../../support/weak-hash.ts'
import { countHashes, nextHash } from '../hash-count.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'
import { queueHolds } from '../sign-in-flood.ts'
import { giveUnknownSlowHash, slowHash } from '../slow-hash.ts'

onEitherDatabase('A stored password', (database) => {
  let service: IdentityService
  before(async () => {
    service = await sharedIdentityService(database)
  })
  after(() => service.stop())

  it('made with weaker parameters still works, and is renewed by a good sign-in alone', async () => {
    const name = await newUser()
    const weak = weakHash(password)
    await setHash(service, name, weak)
    await assert.rejects(service.signIn(name, undefined, 'Wrong@123'), /401/)
    assert.equal(await hashOf(name), weak)
    assert.ok((await service.signIn(name)).accessToken)
    await eventually('the renewal', soonMs, async () => (await hashOf(name)) !== weak)
    const renewed = await hashOf(name)
    assert.match(renewed, /^\$argon2id\$v=19\$m=64,t=1,p=1\$/)
    // Two where the sign-in has still read the former hash, and then checks the password again.
    await eventually('one hash', soonMs, async () => (await countHashes(() => service.signIn(name))) === 1)
    assert.equal(await hashOf(name), renewed)
  })

  it('is not computed with parameters that nobody here would give it', async () => {
    const userName = await newUser()
    await setHash(service, userName, enormous)
    let answer: Promise<unknown> = Promise.resolve()
    assert.equal(await countHashes(() => (answer = service.signIn(userName).catch(String))), 1)
    assert.match(String(await answer), /401/)
    // An administrator mends it.
    const { body } = await service.host.get(`/api/users/by-username/${userName}`)
    assert.equal((await service.host.put(`/api/users/${body.id}`, { password })).status, 200)
    assert.ok((await service.signIn(userName)).accessToken)
  })

  it('is renewed when nobody waits for a hash', async () => {
    const [userName, stranger] = [await newUser(), await newUser()]
    await setHash(service, userName, slowHash())
    await giveUnknownSlowHash(service, stranger)
    const begun = nextHash()
    const signingIn = service.signIn(userName)
    await begun
    const behind = service.signIn(stranger).catch(String)
    await queueHolds(service, (depth) => depth === 1)
    await signingIn
    assert.equal(await hashOf(userName), slowHash())
    assert.match(String(await behind), /401/)
    await eventually('the renewal', soonMs, async () => (await hashOf(userName)) !== slowHash())
  })

  it('is renewed once for simultaneous sign-ins, and all of them succeed', async () => {
    const name = await newUser()
    await setHash(service, name, weakHash(password))
    const signedIn = await Promise.all(Array.from({ length: 4 }, () => service.signIn(name)))
    for (const { client } of signedIn) assert.equal((await client.get('/api/auth/me')).status, 200)
  })

  async function newUser(): Promise<string> {
    const userName = uniqueName('user')
    assert.equal((await service.host.post('/api/users', person(userName))).status, 201)
    return userName
  }

  async function hashOf(userName: string): Promise<string> {
    const sql = `SELECT password_hash FROM account WHERE user_name = '${userName}'`
    const [row] = await inspect(service.config.databaseUrl, sql)
    return String(row?.['password_hash'])
  }
})

describe('A password hash', () => {
  const log = { warn: () => undefined }
  const passwords = (cost = defaultPasswordCost) =>
    new Argon2Passwords(cost, new HashQueue({ maxConcurrent: 1 }, log))
  const origin = { paths: [['tests']], signal: null }

  it('is argon2id with at least 19 MiB and two passes, salted', async () => {
    const hashes = await Promise.all([1, 2].map(() => passwords().hash(password, origin)))
    for (const hash of hashes) {
      const [, memory, passes] =
        /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$[^$]{22}\$[^$]{43}$/.exec(hash) ?? []
      assert.ok(Number(memory) >= 19 * 1024 && Number(passes) >= 2, hash)
      assert.equal(passwords().needsRehash(hash), false)
    }
    assert.notEqual(hashes[0], hashes[1])
  })

  const textOf = (memory: number, passes: number, lanes: number, [salt, tag] = [16, 32]) =>
    `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${textOfLength(salt)}$${textOfLength(tag)}`

  it('is computed for four times the usual work in twice the memory, and for no more', () => {
    const verdicts: [text: string, isAccepted: boolean][] = [
      [textOf(65_536, 4, 1), true],
      [textOf(65_536, 1, 4), true],
      [textOf(65_537, 1, 1), false],
      [textOf(32_768, 8, 1), true],
      [textOf(32_768, 9, 1), false],
      [textOf(32_768, 1, 5), false],
      [textOf(32, 1, 4), true],
      [textOf(31, 1, 4), false],
      [textOf(32_768, 0, 1), false],
      [textOf(32_768, 1, 0), false],
      [textOf(32_768, 1, 1, [8, 16]), true],
      [textOf(32_768, 1, 1, [7, 16]), false],
      [textOf(32_768, 1, 1, [8, 15]), false],
      [textOf(32_768, 1, 1, [64, 64]), true],
      [textOf(32_768, 1, 1, [65, 64]), false],
      [textOf(32_768, 1, 1, [64, 65]), false],
      [enormous, false],
      ['$2b$12$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', false],
    ]
    for (const [text, isAccepted] of verdicts) assert.equal(passwords().accepts(text), isAccepted, text)
  })

  it('is computed for as much as the service itself spends', () => {
    const dear = passwords({ memory: 131_072, passes: 8 })
    assert.equal(dear.accepts(textOf(131_072, 8, 1)), true)
    assert.equal(dear.accepts(textOf(131_073, 1, 1)), false)
    assert.equal(dear.accepts(textOf(131_072, 9, 1)), false)
  })
})

function textOfLength(bytes: number): string {
  return Buffer.alloc(bytes, 1).toString('base64').replace(/=+$/, '')
}
