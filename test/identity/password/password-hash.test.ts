import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { defaultPasswordCost } from '../../../src/identity/password/argon2.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { password, person, startService, type TestService, uniqueName } from '../../support/service.ts'
import { enormous, hashWith, setHash, weakHash } from '../../support/weak-hash.ts'
import { countHashes } from '../hash-count.ts'
import { Flood, queueHolds, readFigure } from '../sign-in-flood.ts'

onEitherDatabase('A stored password', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(
      database,
      {},
      { passwordCost: defaultPasswordCost, hashLimits: { maxQueueMs: 600_000, maxWaitMs: 600_000 } },
    )
  })
  after(() => service.stop())

  it('is an argon2id hash of at least 19 MiB and two passes, salted', async () => {
    const names = [uniqueName('user'), uniqueName('user')]
    for (const name of names) await service.host.post('/api/users', person(name))
    const hashes = await Promise.all(names.map(hashOf))
    for (const hash of hashes) {
      const [, memory, passes] =
        /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$[^$]{22}\$[^$]{43}$/.exec(hash) ?? []
      assert.ok(Number(memory) >= 19 * 1024 && Number(passes) >= 2, hash)
    }
    assert.notEqual(hashes[0], hashes[1])
  })

  it('made with weaker parameters still works, and is renewed by a good sign-in alone', async () => {
    const name = uniqueName('user')
    await service.host.post('/api/users', person(name))
    const weak = weakHash(password)
    await setHash(service, name, weak)
    await assert.rejects(service.signIn(name, undefined, 'Wrong@123'), /401/)
    assert.equal(await hashOf(name), weak)
    assert.ok((await service.signIn(name)).accessToken)
    await eventually('the renewal', soonMs, async () => (await hashOf(name)) !== weak)
    const renewed = await hashOf(name)
    assert.match(renewed, /^\$argon2id\$v=19\$m=32768,t=2,p=1\$/)
    assert.equal(await countHashes(() => service.signIn(name)), 1)
    assert.equal(await hashOf(name), renewed)
  })

  it('is not computed with parameters that nobody here would give it', async () => {
    const userName = uniqueName('user')
    await service.host.post('/api/users', person(userName))
    const costs = [
      { memory: 65_536, passes: 4, parallelism: 1, isAccepted: true },
      { memory: 65_536, passes: 1, parallelism: 4, isAccepted: true },
      { memory: 65_537, passes: 1, parallelism: 1, isAccepted: false },
      { memory: 32_768, passes: 9, parallelism: 1, isAccepted: false },
      { memory: 32_768, passes: 1, parallelism: 5, isAccepted: false },
    ]
    for (const { isAccepted, ...cost } of costs) {
      const hash = hashWith(password, cost)
      await setHash(service, userName, hash)
      const what = JSON.stringify(cost)
      if (isAccepted) assert.ok((await service.signIn(userName)).accessToken, what)
      else await assert.rejects(service.signIn(userName), /401/, what)
    }
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
    const userName = uniqueName('user')
    await service.host.post('/api/users', person(userName))
    const logIn = () => service.anonymous.post('/api/auth/login', { userName, password }, home)
    const home = { 'x-forwarded-for': '172.16.0.3' }
    assert.equal((await logIn()).status, 200)
    const weak = weakHash(password)
    await setHash(service, userName, weak)
    const flood = new Flood(service, 40)
    await queueHolds(service, (depth) => depth > 20)
    // Known from there, the user does not wait for strangers; the renewal of the hash waits for all of them.
    assert.equal((await logIn()).status, 200)
    assert.ok((await readFigure(service, 'password_hash_queue_depth')) > 0)
    assert.equal(await hashOf(userName), weak)
    await flood.stop()
    await eventually('the renewal', soonMs, async () => (await hashOf(userName)) !== weak)
  })

  it('is renewed once for simultaneous sign-ins, and all of them succeed', async () => {
    const name = uniqueName('user')
    await service.host.post('/api/users', person(name))
    await setHash(service, name, weakHash(password))
    const signedIn = await Promise.all(Array.from({ length: 4 }, () => service.signIn(name)))
    for (const { client } of signedIn) assert.equal((await client.get('/api/auth/me')).status, 200)
  })

  async function hashOf(userName: string): Promise<string> {
    const sql = `SELECT password_hash FROM account WHERE user_name = '${userName}'`
    const [row] = await inspect(service.config.databaseUrl, sql)
    return String(row?.['password_hash'])
  }
})
