/** SIGN_IN_LIMIT=account. Without it: request-limit.test.ts. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Answer } from '../../support/client.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { type Instance, startOther } from '../../support/instance.ts'
import {
  password,
  person,
  startService,
  type TestService,
  type TestTenant,
  uniqueName,
} from '../../support/service.ts'

const login = '/api/auth/login'

onEachDatabase('The sign-in limit by account', (database) => {
  let service: TestService
  let other: Instance
  let tenant: TestTenant
  const names: string[] = []
  before(async () => {
    service = await startService(database, { SIGN_IN_LIMIT: 'account' })
    other = await startOther(service)
    tenant = await service.newTenant()
    for (let count = 0; count < 8; count++) {
      const { status, body } = await tenant.admin.post('/api/users', person(uniqueName('user')))
      assert.equal(status, 201)
      names.push(body.userName)
    }
  })
  after(async () => {
    await other.stop()
    await service.stop()
  })

  const send = (address: string, body: unknown, client = service.anonymous): Promise<Answer> =>
    client.post(login, body, { 'x-forwarded-for': address, 'x-tenant-id': tenant.id })
  const guess = (address: string, userName: string, client = service.anonymous): Promise<Answer> =>
    send(address, { userName, password: 'Wrong@123' }, client)
  const signInOnPage = async (address: string, form: Record<string, string>): Promise<number> => {
    const page = new URL('/account/sign-in', service.url)
    const query = { tenant: tenant.id, returnTo: '/home', codeChallenge: 'v'.repeat(43) }
    page.search = new URLSearchParams(query).toString()
    const headers = { origin: service.url, 'x-forwarded-for': address }
    const body = new URLSearchParams(form)
    return (await fetch(page, { method: 'POST', redirect: 'manual', headers, body })).status
  }
  const signIn = (address: string, userName = '', client = service.anonymous): Promise<Answer> =>
    send(address, { userName, password }, client)

  it('lets eight users of an office in, and then five failures', async () => {
    const statuses: number[] = []
    for (const name of names) statuses.push((await signIn('10.1.0.1', name)).status)
    assert.deepEqual(statuses, Array<number>(8).fill(200))
    for (let count = 1; count <= 5; count++)
      assert.equal((await guess('10.1.0.1', `nobody${count}`)).status, 401)
    assert.equal((await guess('10.1.0.1', 'nobody6')).status, 429)
  })

  it('refuses the sixth sign-in of an account from one address, also when five were right', async () => {
    const left: number[] = []
    for (let count = 1; count <= 5; count++) {
      const answer = await signIn('10.1.0.2', names[0])
      assert.equal(answer.status, 200)
      left.push(remaining(answer))
    }
    assert.deepEqual(left, [4, 3, 2, 1, 0])
    const refused = await signIn('10.1.0.2', names[0]?.toUpperCase())
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('ratelimit'), `"strict";r=0;t=${refused.headers.get('retry-after')}`)
    assert.equal((await signIn('10.1.0.2', names[1])).status, 200, 'another account of the address')
    assert.equal((await signIn('10.1.0.3', names[0])).status, 200, 'the account at another address')
  })

  it('refuses the sixth failure of an address, whatever accounts it names', async () => {
    const left: number[] = []
    for (let count = 1; count <= 5; count++) left.push(remaining(await guess('10.1.0.4', `nobody${count}`)))
    assert.deepEqual(left, [4, 3, 2, 1, 0])
    assert.equal((await signIn('10.1.0.4', names[0])).status, 429)
  })

  it('counts requests that sign nobody in as failures', async () => {
    for (const body of ['{', {}, { userName: 7, password }, 'x', []]) await send('10.1.0.5', body)
    assert.equal((await signIn('10.1.0.5', names[0])).status, 429)
  })

  it('gives a sprayer nothing back for successes with an account of his own', async () => {
    const from = '10.1.0.6'
    for (let count = 1; count <= 4; count++) {
      assert.equal((await guess(from, `nobody${count}`)).status, 401)
      assert.equal((await signIn(from, names[2])).status, 200)
    }
    assert.equal((await guess(from, 'nobody5')).status, 401)
    assert.equal((await guess(from, 'nobody6')).status, 429)
    assert.equal((await signIn(from, names[2])).status, 429)
  })

  it('counts simultaneous guesses before the first is answered', async () => {
    const guesses = Array.from({ length: 20 }, (_, each) => guess('10.1.0.7', `nobody${each}`))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [...Array<number>(5).fill(401), ...Array<number>(15).fill(429)])
  })

  it('counts the forms of the page to sign in alike', async () => {
    const from = '10.1.0.9'
    const statuses: number[] = []
    for (const name of names) statuses.push(await signInOnPage(from, { userName: name, password }))
    assert.deepEqual(statuses, Array<number>(8).fill(303))
    assert.equal((await signIn(from, names[0])).status, 200, 'the route counts with the page')
    for (let count = 1; count <= 5; count++)
      assert.equal(await signInOnPage(from, { userName: `nobody${count}`, password: 'Wrong@123' }), 401)
    assert.equal(await signInOnPage(from, { userName: names[0] ?? '', password }), 429)
    const elsewhere = '10.1.0.10'
    for (let count = 1; count <= 3; count++) {
      assert.equal(await signInOnPage(elsewhere, { userName: names[1] ?? '', password }), 303)
      if (count < 3) assert.equal((await signIn(elsewhere, names[1])).status, 200)
    }
    assert.equal(await signInOnPage(elsewhere, { userName: names[1]?.toUpperCase() ?? '', password }), 429)
  })

  if (database === 'postgres') {
    it('counts on all instances together, and takes successes back on all', async () => {
      const from = '10.1.0.8'
      for (const [index, name] of names.entries()) {
        const client = index % 2 === 0 ? service.anonymous : other.anonymous
        assert.equal((await signIn(from, name, client)).status, 200)
      }
      for (let count = 1; count <= 5; count++) {
        const client = count % 2 === 0 ? service.anonymous : other.anonymous
        assert.equal((await guess(from, `nobody${count}`, client)).status, 401)
      }
      assert.equal((await guess(from, 'nobody6')).status, 429)
      assert.equal((await guess(from, 'nobody6', other.anonymous)).status, 429)
    })
  }
})

function remaining({ headers }: Answer): number {
  return Number(/^"strict";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1])
}
