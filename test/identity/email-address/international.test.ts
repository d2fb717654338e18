/** Addresses of any script: typed, compared and mailed. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { mailedToken } from '../../support/mailed-token.ts'
import { password, person, type TestTenant, uniqueName } from '../../support/service.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

onEitherDatabase('An address of another script', (database) => {
  let service: IdentityService
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const create = (email: string) => tenant.admin.post('/api/users', { ...person(uniqueName('ada')), email })
  const signIn = async (userName: string, tenantId = tenant.id) => {
    const headers = { ...fromAnyAddress(), 'x-tenant-id': tenantId }
    return (await service.anonymous.post('/api/auth/login', { userName, password }, headers)).status
  }
  const mailTo = async (email: string) => {
    const sent = () => service.mails.list().filter(({ to }) => to === email)
    await eventually('the mail', soonMs, async () => sent().length > 0)
    return mailedToken(sent().at(-1)?.text)
  }

  it('is that of a user, who signs in with it and gets mails', async () => {
    const email = `${uniqueName('用户')}.δοκιμή@उदाहरण.example`
    const created = await create(email)
    assert.equal(created.status, 201, created.text)
    assert.equal(created.body.email, email)
    assert.equal(await signIn(email), 200)
    await service.anonymous.post(
      '/api/auth/forgot-password',
      { userName: email },
      {
        ...fromAnyAddress(),
        'x-tenant-id': tenant.id,
      },
    )
    await mailTo(email)
  })

  it('is one, however its domain is written', async () => {
    const name = uniqueName('user')
    const [unicode, ascii] = [`${name}@bücher.example`, `${name}@xn--bcher-kva.example`]
    assert.equal((await create(unicode)).status, 201)
    for (const same of [
      ascii,
      `${name}@BÜCHER.Example`,
      `${name}@bu\u0308cher.example`,
      ascii.toUpperCase(),
    ]) {
      assertError(await create(same), 400, /email: is taken/)
      assert.equal(await signIn(same), 200)
      assertError(await tenant.admin.post('/api/invitations', { email: same }), 400, /is that of a user/)
    }
  })

  it('is one, whether its letters are composed or not', async () => {
    const name = uniqueName('rene')
    assert.equal((await create(`${name}é@example.com`)).status, 201)
    assertError(await create(`${name}e\u0301@example.com`), 400, /email: is taken/)
    // Unlike letters that fold to the same ones are different mailboxes.
    assert.equal((await create(`${name}ß@example.com`)).status, 201)
    assert.equal((await create(`${name}ss@example.com`)).status, 201)
  })

  it('is invited, and signs a tenant up', async () => {
    const guest = `${uniqueName('гость')}@пример.example`
    const invited = await tenant.admin.post('/api/invitations', { email: guest })
    assert.equal(invited.status, 201, invited.text)
    const { email: _email, ...input } = person(uniqueName('new'))
    const accepted = await service.anonymous.post(
      '/api/invitations/accept',
      { ...input, token: await mailTo(guest) },
      { ...fromAnyAddress(), 'x-tenant-id': tenant.id },
    )
    assert.equal(accepted.status, 201, accepted.text)
    assert.equal(accepted.body.email, guest)
    const owner = `${uniqueName('根')}@例え.example`
    const asked = await service.anonymous.post(
      '/api/auth/sign-up',
      { ...person(uniqueName('root')), email: owner, tenantName: 'Example' },
      fromAnyAddress(),
    )
    assert.equal(asked.status, 202, asked.text)
    await mailTo(owner)
  })

  it('lists the mails to it, however its domain is written', async () => {
    const guest = `${uniqueName('guest')}@bücher.example`
    await tenant.admin.post('/api/invitations', { email: guest })
    const query = encodeURIComponent(guest.replace('bücher', 'xn--bcher-kva'))
    const { body } = await tenant.admin.get(`/api/mails?recipient=${query}`)
    assert.deepEqual(
      body.map(({ recipient }: { recipient: string }) => recipient),
      [guest],
    )
  })

  it('is refused in words, wherever it is typed, when no mail can be sent to it', async () => {
    const reason = /email: must be an address that mails can be sent to/
    const faulty = [
      ...['ada', 'ada@', '@example.com', 'a b@example.com', '"a b"@example.com', 'ada@[127.0.0.1]'],
      ...[
        'a..b@example.com',
        '.a@example.com',
        'ada@-a.example',
        'ada@a..b',
        'ada@１２.３',
        'a\u200bb@ü.example',
      ],
      ...['ada@ü ü.example', 'ada@ü%2e.example', `${'ü'.repeat(130)}@example.com`],
    ]
    const { email: _email, ...rest } = person(uniqueName('ada'))
    for (const email of faulty) {
      const calls = [
        create(email),
        tenant.admin.post('/api/invitations', { email }),
        tenant.admin.put('/api/users/me/email', { email }),
        service.anonymous.post('/api/auth/sign-up', { ...rest, email, tenantName: 'Acme' }, fromAnyAddress()),
      ]
      for (const refused of await Promise.all(calls)) assertError(refused, 400, reason)
    }
  })
})
