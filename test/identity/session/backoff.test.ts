import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { createFixedWindow } from '../../../src/api/http/rate-limit/fixed-window.ts'
import { failureMemorySeconds, SignInBackoff } from '../../../src/identity/session/backoff.ts'
import type { Answer, Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { type Instance, startInstance } from '../../support/instance.ts'
import { password, person, uniqueName } from '../../support/service.ts'
import { countHashes } from '../hash-count.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('Guessing the password of one account', (database) => {
  let service: IdentityService
  before(async () => {
    service = await sharedIdentityService(database)
  })
  after(() => service.stop())

  /** A user who has never signed in. */
  const newUser = async (): Promise<string> => {
    const userName = uniqueName('user')
    assert.equal((await service.host.post('/api/users', person(userName))).status, 201)
    return userName
  }

  it('is slowed down in a network from the fifth failure on, by more with each further one', async () => {
    const { executor } = (await service.service.operator()).shared.catalogueDatabase
    const limiter = (name: string, requests: number, seconds: number) =>
      createFixedWindow(executor, { name, requests, seconds })
    const failures = limiter('test-failure', Number.MAX_SAFE_INTEGER, failureMemorySeconds)
    const waits = limiter('test-wait', 1, 1)
    const backoff = new SignInBackoff(failures, waits)
    const keys = { network: uniqueName('home'), newNetworks: null }
    const fail = () => backoff.attempt(keys, async () => null)
    for (let count = 0; count < 4; count++) assert.equal(await fail(), null)
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      assert.equal(await fail(), null)
      await assert.rejects(fail(), { kind: 'tooManyRequests', headers: { 'retry-after': `${seconds}` } })
      await waits.delete(keys.network) // as if the time had passed
    }
    assert.equal(await backoff.attempt(keys, async () => 'current'), 'current')
    for (let count = 0; count < 4; count++) assert.equal(await fail(), null)
  })

  it('from many networks does not keep out the owner, who comes with a new device', async () => {
    const userName = await newUser()
    await guess(userName, 25)
    const attack = guessAtOnce(userName, 25)
    assert.equal((await tryOnce(service.anonymous, userName, password)).status, 200)
    await attack
    assert.equal((await tryOnce(service.anonymous, userName, password)).status, 200)
  })

  it('from many networks leaves each one attempt at a time, the same for an account that does not exist', async () => {
    const sequence = async (userName: string): Promise<string[]> => {
      const answers = await guess(userName, 21)
      const stranger = nextAddress()
      const again = [
        await tryOnce(service.anonymous, userName, 'Wrong@123', stranger),
        await tryOnce(service.anonymous, userName.toUpperCase(), password, stranger),
      ]
      assert.deepEqual(statusesOf([...answers, ...again]), [...Array(22).fill(401), 429])
      const wait = Number(again[1]?.headers.get('retry-after'))
      assert.ok(wait > 20 && wait <= 30, `${wait}`)
      return [...answers, ...again].map(({ text }) => text)
    }
    const known = await sequence(await newUser())
    assert.equal(known.at(-1), '{"message":"Too many failed sign-ins. Try again later."}')
    assert.deepEqual(await sequence(uniqueName('nobody')), known)
  })

  it('does not tell by its waits that a name and an address are those of one user', async () => {
    const userName = await newUser()
    await guess(userName, 21)
    const stranger = nextAddress()
    const texts = [userName, userName, `${userName}@example.com`, 'nobody@example.com']
    const answers: Answer[] = []
    for (const text of texts) answers.push(await tryOnce(service.anonymous, text, 'Wrong@123', stranger))
    assert.deepEqual(statusesOf(answers), [401, 429, 401, 401])
  })

  it('needs no hash while it has to wait', async () => {
    const userName = uniqueName('nobody')
    await guess(userName, 21)
    const stranger = nextAddress()
    assert.equal((await tryOnce(service.anonymous, userName, 'Wrong@123', stranger)).status, 401)
    assert.equal(await countHashes(() => tryOnce(service.anonymous, userName, 'Wrong@123', stranger)), 0)
  })

  it('gains nothing from simultaneous attempts', async () => {
    const userName = await newUser()
    await guess(userName, 21)
    const stranger = nextAddress()
    let answers: Answer[] = []
    const hashes = await countHashes(async () => {
      const attempts = Array.from({ length: 5 }, () =>
        tryOnce(service.anonymous, userName, 'Wrong@123', stranger),
      )
      answers = await Promise.all(attempts)
    })
    assert.equal(hashes, 1)
    assert.equal(statusesOf(answers).filter((status) => status === 401).length, 1)
  })

  it('leaves an owner who signed in from the same network before the usual number of attempts', async () => {
    for (const [home, near] of [
      ['172.16.0.1', '172.16.0.1'],
      ['2001:db8:0:9::1', '2001:db8:0:9:a::b'],
    ] as const) {
      const userName = await newUser()
      assert.equal((await tryOnce(service.anonymous, userName, password, home)).status, 200)
      await guess(userName, 21)
      const answers = [
        await tryOnce(service.anonymous, userName, 'Wrong@123', near),
        await tryOnce(service.anonymous, userName, 'Wrong@123', near),
        await tryOnce(service.anonymous, userName, password, near),
      ]
      assert.deepEqual(statusesOf(answers), [401, 401, 200])
    }
  })

  if (database === 'postgres') {
    it('is counted by all instances together', async () => {
      const other: Instance = await startInstance(service, { clock: service.clock.now })
      try {
        const userName = await newUser()
        await guess(userName, 10)
        await guess(userName, 11, other.anonymous)
        const stranger = nextAddress()
        assert.equal((await tryOnce(service.anonymous, userName, 'Wrong@123', stranger)).status, 401)
        assert.equal((await tryOnce(other.anonymous, userName, 'Wrong@123', stranger)).status, 429)
      } finally {
        await other.stop()
      }
    })
  }

  /** Each guess comes from an address of its own, so that the strict policy has no say. */
  async function guess(userName: string, times: number, client = service.anonymous): Promise<Answer[]> {
    const answers: Answer[] = []
    for (let count = 0; count < times; count++) answers.push(await tryOnce(client, userName, 'Wrong@123'))
    return answers
  }

  function guessAtOnce(userName: string, times: number): Promise<Answer[]> {
    return Promise.all(Array.from({ length: times }, () => tryOnce(service.anonymous, userName, 'Wrong@123')))
  }
})

let addresses = 0

function nextAddress(): string {
  return `10.7.${Math.floor(addresses / 250)}.${1 + (addresses++ % 250)}`
}

function tryOnce(client: Client, userName: string, tried: string, address = nextAddress()): Promise<Answer> {
  return client.post('/api/auth/login', { userName, password: tried }, { 'x-forwarded-for': address })
}

function statusesOf(answers: Answer[]): number[] {
  return answers.map(({ status }) => status)
}
