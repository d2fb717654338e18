import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import type { Answer } from '../../support/client.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { password, person, type SignedIn, type TestTenant, uniqueName } from '../../support/service.ts'
import { countHashes } from '../hash-count.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

const path = '/api/users/me/password'

onEitherDatabase('The own password', (database) => {
  let service: IdentityService
  let tenant: TestTenant
  let userName: string
  let own: SignedIn
  before(async () => {
    service = await sharedIdentityService(database)
    tenant = await service.newTenant()
  })
  beforeEach(async () => {
    userName = uniqueName('user')
    await tenant.admin.post('/api/users', person(userName))
    own = await signIn()
  })
  after(() => service.stop())

  it('is changed by its user, in whatever role', async () => {
    const answer = await own.client.put(path, { currentPassword: password, newPassword: 'Other@456' })
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, { message: 'The password is changed.' })
    assert.ok((await signIn('Other@456')).accessToken)
    await assert.rejects(signIn(), /401/)
  })

  it('is told of as an event, like every change of a user', async () => {
    const { body: user } = await own.client.get('/api/auth/me')
    const told = `SELECT data FROM event WHERE tenant_id = '${tenant.id}' AND type = 'user.updated' AND data LIKE '%${user.id}%'`
    assert.deepEqual(await inspect(service.config.databaseUrl, told), [])
    await own.client.put(path, { currentPassword: password, newPassword: 'Other@456' })
    const [row, ...more] = await inspect(service.config.databaseUrl, told)
    assert.deepEqual(JSON.parse(String(row?.['data'])), { userId: user.id, userName })
    assert.equal(more.length, 0)
  })

  it('ends the other sessions and keeps the one that changes it', async () => {
    const other = await signIn()
    await own.client.put(path, { currentPassword: password, newPassword: 'Other@456' })
    await eventually('the end', soonMs, async () => (await other.client.get('/api/auth/me')).status === 401)
    const { refreshToken } = other
    assert.equal((await service.anonymous.post('/api/auth/refresh', { refreshToken })).status, 401)
    assert.equal((await own.client.get('/api/auth/me')).status, 200)
    const renewed = await service.anonymous.post('/api/auth/refresh', { refreshToken: own.refreshToken })
    assert.equal(renewed.status, 200)
  })

  it('that an administrator changes as that of any user ends all sessions, the one that changes it as well', async () => {
    const other = await service.newTenant()
    const admin = await service.signIn('boss', other.id)
    const worker = await service.signIn('worker', other.id)
    for (const { client, refreshToken } of [worker, admin]) {
      const { id } = (await client.get('/api/auth/me')).body
      assert.equal((await admin.client.put(`/api/users/${id}`, { password: 'Other@456' })).status, 200)
      await eventually('the end', soonMs, async () => (await client.get('/api/auth/me')).status === 401)
      assert.equal((await service.anonymous.post('/api/auth/refresh', { refreshToken })).status, 401)
    }
    assert.equal((await other.admin.get('/api/auth/me')).status, 401)
  })

  it('is not changed by whoever does not know it', async () => {
    for (const currentPassword of ['Wrong@123', password.toLowerCase(), ` ${password}`, '']) {
      const answer = await own.client.put(path, { currentPassword, newPassword: 'Other@456' })
      assert.equal(answer.status, 400)
      assert.match(answer.body.message, /^currentPassword: /)
    }
    assert.ok((await signIn()).accessToken)
  })

  it('cannot be guessed quickly with a stolen token', async () => {
    const guess = () => own.client.put(path, { currentPassword: 'Wrong@123', newPassword: 'Other@456' })
    for (let count = 0; count < 4; count++) assert.equal((await guess()).status, 400)
    let answers: Answer[] = []
    const hashes = await countHashes(async () => {
      answers = await Promise.all(Array.from({ length: 10 }, guess))
    })
    const judged = answers.filter(({ status }) => status === 400)
    const refused = answers.filter(({ status }) => status === 429)
    assert.deepEqual([judged.length + refused.length, hashes], [10, judged.length])
    assert.ok(judged.length <= 2, `${judged.length} guesses were judged`)
    for (const { headers } of refused) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    // Signing in is counted apart: whoever holds the token keeps nobody out.
    assert.ok((await signIn()).accessToken)
  })

  it('has to be as complex as any', async () => {
    for (const newPassword of ['short@1A'.slice(1), 'Admin1234', 'x'.repeat(129), 7, null, undefined]) {
      const answer = await own.client.put(path, { currentPassword: password, newPassword })
      assert.equal(answer.status, 400)
      assert.match(answer.body.message, /newPassword: /)
    }
  })

  it('needs a token', async () => {
    const body = { currentPassword: password, newPassword: 'Other@456' }
    assert.equal((await service.anonymous.put(path, body)).status, 401)
  })

  it('may hold any characters, and is taken as it is', async () => {
    const newPassword = ' Pässwörd 密码 🔑 9 '
    await own.client.put(path, { currentPassword: password, newPassword })
    assert.ok((await signIn(newPassword)).accessToken)
    await assert.rejects(signIn(newPassword.trim()), /401/)
    const longest = `Aa1 ${'x'.repeat(124)}`
    const change = { currentPassword: newPassword, newPassword: longest }
    assert.equal((await own.client.put(path, change)).status, 200)
    assert.ok((await signIn(longest)).accessToken)
    await assert.rejects(signIn(longest.slice(0, -1)), /401/)
  })

  function signIn(tried = password): Promise<SignedIn> {
    return service.signIn(userName, tenant.id, tried)
  }
})
