/** Credentials that another keyboard, system or client writes in another way. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { AuthenticatorApp } from '../../support/authenticator-app.ts'
import type { Answer } from '../../support/client.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { password, person, type TestTenant, uniqueName } from '../../support/service.ts'
import { hashWith, setHash, weakHash } from '../../support/weak-hash.ts'
import { countHashes } from '../hash-count.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

const composed = 'Señor\u00e9 @1234'.normalize('NFC')
const decomposed = composed.normalize('NFD')
const withOtherBlank = composed.replace(' ', '\u00a0')

onEitherDatabase('Credentials that are written in another way', (database) => {
  let service: IdentityService
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const logIn = (userName: string, text: string): Promise<Answer> => {
    const headers = { ...fromAnyAddress(), 'x-tenant-id': tenant.id }
    return service.anonymous.post('/api/auth/login', { userName, password: text }, headers)
  }

  const newUser = async (members: Record<string, unknown> = {}): Promise<string> => {
    const userName = uniqueName('user')
    const made = await tenant.admin.post('/api/users', person(userName, members))
    assert.equal(made.status, 201, made.text)
    return userName
  }

  const hashOf = async (userName: string): Promise<string> => {
    const sql = `SELECT password_hash FROM account WHERE user_name = '${userName}'`
    const [row] = await inspect(service.config.databaseUrl, sql)
    return String(row?.['password_hash'])
  }

  it('sign in with a password of the same look, and with no other', async () => {
    for (const set of [composed, decomposed, withOtherBlank]) {
      const userName = await newUser({ password: set })
      for (const typed of [composed, decomposed, withOtherBlank])
        assert.equal((await logIn(userName, typed)).status, 200)
      assert.equal((await logIn(userName, composed.replace('ñ', 'n'))).status, 401)
    }
  })

  it('sign in with a password that an earlier version has hashed as it was typed', async () => {
    for (const typed of [composed, decomposed]) {
      const userName = await newUser()
      await setHash(service, userName, weakHash(decomposed))
      assert.equal((await logIn(userName, typed)).status, 200)
    }
    const other = await newUser()
    await setHash(service, other, weakHash(withOtherBlank))
    assert.equal((await logIn(other, withOtherBlank)).status, 200)
  })

  it('cost one hash from the second sign-in on, once the hash of an earlier version is renewed', async () => {
    for (const earlier of [decomposed, withOtherBlank]) {
      const userName = await newUser()
      const former = hashWith(earlier, { memory: 64, passes: 1, parallelism: 1 }) // as the service of the tests hashes
      await setHash(service, userName, former)
      assert.equal((await logIn(userName, earlier)).status, 200)
      await eventually('the renewal', soonMs, async () => (await hashOf(userName)) !== former)
      for (const typed of [earlier, composed]) {
        const signIn = async () => assert.equal((await logIn(userName, typed)).status, 200)
        await eventually('one hash', soonMs, async () => (await countHashes(signIn)) === 1)
      }
      assert.equal((await logIn(userName, composed.replace('ñ', 'n'))).status, 401)
    }
  })

  it('may have blanks around a name or an address, wherever one is given', async () => {
    const name = uniqueName('user')
    const email = `${name}@blank.example`
    const made = await tenant.admin.post('/api/users', person(` ${name}\t`, { email: `  ${email} ` }))
    assert.deepEqual([made.status, made.body.userName, made.body.email], [201, name, email], made.text)
    for (const typed of [` ${name}`, `${email} `, `\u00a0${name.toUpperCase()}\n`])
      assert.equal((await logIn(typed, password)).status, 200)
    const found = await tenant.admin.get(`/api/users/by-username/${encodeURIComponent(` ${name} `)}`)
    assert.equal(found.body.id, made.body.id)
    const taken = await tenant.admin.post('/api/users', person(`${name} `))
    assert.equal(taken.status, 400)
    const invited = await tenant.admin.post('/api/invitations', { email: ` new.${email} ` })
    assert.deepEqual([invited.status, invited.body.email], [201, `new.${email}`])
  })

  it('have a code in groups of digits, when an app is added and at a sign-in', async () => {
    const userName = await newUser()
    const { client } = await service.signIn(userName, tenant.id)
    const { body } = await client.post('/api/auth/mfa/totp')
    const app = new AuthenticatorApp(body.secret, service.clock)
    const grouped = (code: string, blank: string) => `\u200e${code.slice(0, 3)}${blank}${code.slice(3)} `
    const confirmed = await client.post('/api/auth/mfa/totp/confirm', { code: grouped(app.code(), '-') })
    assert.equal(confirmed.status, 200, confirmed.text)
    const token = (await logIn(userName, password)).headers.get('x-mfa-token')
    const headers = { ...fromAnyAddress(), 'x-tenant-id': tenant.id }
    const input = { token, code: grouped(app.nextCode(), '\u00a0') }
    assert.equal((await service.anonymous.post('/api/auth/mfa/verify', input, headers)).status, 200)
  })

  it('have a bearer token after the scheme in any case and several spaces', async () => {
    const { accessToken } = (await logIn('boss', password)).body
    const get = (authorization: string) => service.anonymous.get('/api/auth/me', { authorization })
    for (const scheme of ['Bearer ', 'bearer  ', 'BEARER    '])
      assert.equal((await get(`${scheme}${accessToken}`)).status, 200, scheme)
    for (const wrong of ['Bearer', 'Bearer a b', `Bearer${accessToken}`, `Basic ${accessToken}`])
      assert.equal((await get(wrong)).status, 401, wrong)
  })
})
