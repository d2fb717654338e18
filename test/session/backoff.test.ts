import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Instance, startInstance } from '../concurrency/instance.ts'
import type { Answer, Client } from '../harness/client.ts'
import { onEachDatabase } from '../harness/databases.ts'
import { password, person, startService, type TestService, uniqueName } from '../harness/service.ts'
import { countHashes } from './hash-count.ts'

onEachDatabase('Guessing the password of one account', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(database)
  })
  after(() => service.stop())

  /** A user who has never signed in. */
  const newUser = async (): Promise<string> => {
    const userName = uniqueName('user')
    assert.equal((await service.host.post('/api/users', person(userName))).status, 201)
    return userName
  }

  it('is slowed down from the fifth failure on, whichever addresses it comes from', async () => {
    const userName = await newUser()
    assert.deepEqual(statusesOf(await guess(userName, 4)), [401, 401, 401, 401])
    const refused = await guessTwiceAtOnce(`${userName}@EXAMPLE.com`)
    assert.deepEqual(refused.body, { message: 'Too many failed sign-ins. Try again later.' })
    assert.match(refused.headers.get('retry-after') ?? '', /^[12]$/)
    await waitAsTold(refused)
    // The wait is over, and with the right password nothing is held against the account any more.
    assert.equal((await tryOnce(service.anonymous, userName, password)).status, 200)
    assert.deepEqual(statusesOf(await guess(userName, 4)), [401, 401, 401, 401])
  })

  it('is slowed down more by each further failure, the same for an account that does not exist', async () => {
    const sequence = async (userName: string): Promise<string[]> => {
      const answers = await guess(userName, 4)
      const first = await guessTwiceAtOnce(userName)
      await waitAsTold(first)
      const second = await guessTwiceAtOnce(userName.toUpperCase())
      const waits = [first, second].map(({ headers }) => Number(headers.get('retry-after')))
      assert.ok((waits[1] ?? 0) > 1 && (waits[1] ?? 0) <= 8, `${waits}`)
      return [...answers, first, second].map(({ text }) => text)
    }
    const known = await sequence(await newUser())
    assert.deepEqual(await sequence(uniqueName('nobody')), known)
  })

  it('needs no hash while it has to wait', async () => {
    const userName = uniqueName('nobody')
    await guess(userName, 4)
    assert.equal(await countHashes(() => guessTwiceAtOnce(userName)), 1)
  })

  it('gains nothing from simultaneous attempts', async () => {
    const userName = await newUser()
    let answers: Answer[] = []
    const hashes = await countHashes(async () => {
      answers = (await Promise.all(Array.from({ length: 30 }, () => guess(userName, 1)))).flat()
    })
    const judged = statusesOf(answers).filter((status) => status === 401).length
    assert.equal(hashes, judged)
    assert.ok(judged <= 6, `${judged} guesses were judged`)
  })

  it('does not keep out an owner who signed in from the same address before', async () => {
    const userName = await newUser()
    const home = '172.16.0.1'
    assert.equal((await tryOnce(service.anonymous, userName, password, home)).status, 200)
    await guess(userName, 4)
    await guessTwiceAtOnce(userName)
    assert.equal((await tryOnce(service.anonymous, userName, password, home)).status, 200)
  })

  it('takes the addresses of a network of IPv6 for one that is known', async () => {
    const userName = await newUser()
    assert.equal((await tryOnce(service.anonymous, userName, password, '2001:db8:0:9::1')).status, 200)
    await guess(userName, 4)
    await guessTwiceAtOnce(userName)
    assert.equal((await tryOnce(service.anonymous, userName, password, '2001:db8:0:9:a::b')).status, 200)
  })

  it('slows down a known address as well, on its own account', async () => {
    const userName = await newUser()
    const home = '172.16.0.2'
    assert.equal((await tryOnce(service.anonymous, userName, password, home)).status, 200)
    // The strict policy lets an address try five times in ten seconds; the first was the sign-in.
    for (let count = 0; count < 4; count++) {
      assert.equal((await tryOnce(service.anonymous, userName, 'Wrong@123', home)).status, 401)
    }
    assert.equal((await tryOnce(service.anonymous, userName, password)).status, 200)
  })

  if (database === 'postgres') {
    it('is counted by all instances together', async () => {
      const other: Instance = await startInstance(service)
      try {
        const userName = await newUser()
        await guess(userName, 3)
        await guess(userName, 1, other.anonymous)
        await guessTwiceAtOnce(userName, other.anonymous)
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

  /** @returns the one that was refused: of two, one has to wait for the other */
  async function guessTwiceAtOnce(userName: string, second = service.anonymous): Promise<Answer> {
    const clients = [service.anonymous, second]
    const answers = await Promise.all(clients.map((client) => tryOnce(client, userName, 'Wrong@123')))
    const [judged, refused] = answers.toSorted((one, other) => one.status - other.status)
    assert.equal(judged?.status, 401)
    assert.equal(refused?.status, 429)
    return refused
  }
})

async function waitAsTold({ headers }: Answer): Promise<void> {
  await delay(Number(headers.get('retry-after')) * 1000 + 50)
}

let addresses = 0

function tryOnce(client: Client, userName: string, tried: string, address?: string): Promise<Answer> {
  const from = address ?? `10.7.${Math.floor(addresses / 250)}.${1 + (addresses++ % 250)}`
  return client.post('/api/auth/login', { userName, password: tried }, { 'x-forwarded-for': from })
}

function statusesOf(answers: Answer[]): number[] {
  return answers.map(({ status }) => status)
}
