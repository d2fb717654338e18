/** The account pages, as a browser without scripts sees them. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { CollectedMails } from '../../../src/testing/collected-mails.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { person, startService, type TestTenant, uniqueName } from '../../support/service.ts'
import { baseUrl, type IdentityService, sharedIdentityService } from '../identity-service.ts'

/** The button after all is done. */
function signInLink(address: string): string {
  return `<a class="button" href="${address}">Sign in</a>`
}

onEitherDatabase('An account page', (database) => {
  let service: IdentityService
  let mails: CollectedMails
  let tenant: TestTenant
  before(async () => {
    service = await sharedIdentityService(database)
    mails = service.mails
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const get = (address: string, headers: Record<string, string> = {}) =>
    fetch(new URL(address, service.url), {
      headers: { accept: 'text/html', ...fromAnyAddress(), ...headers },
    })

  const post = (address: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(new URL(address, service.url), {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'text/html', origin: service.url, ...fromAnyAddress(), ...headers },
      body: new URLSearchParams(form),
    })

  /** @returns path and query of the link of the newest mail to the address */
  const linkTo = async (email: string): Promise<string> => {
    const sent = () => mails.list().filter(({ to }) => to === email)
    await eventually('the mail', soonMs, async () => sent().length > 0)
    const { origin, pathname, search } = new URL(/^https?:\S+$/m.exec(sent().at(-1)?.text ?? '')?.[0] ?? '')
    assert.equal(origin, baseUrl)
    return `${pathname}${search}`
  }

  const newUser = async (): Promise<{ userName: string; email: string }> =>
    (await tenant.admin.post('/api/users', person(uniqueName('ada')))).body

  const invited = async (): Promise<{ email: string; link: string }> => {
    const email = `${uniqueName('guest')}@example.com`
    const made = await tenant.admin.post('/api/invitations', { email })
    assert.equal(made.status, 201, made.text)
    return { email, link: await linkTo(email) }
  }

  it('is found by password managers, whose users want to change a password', async () => {
    const { status, headers } = await service.anonymous.get('/.well-known/change-password')
    assert.equal(status, 303)
    assert.match(headers.get('location') ?? '', /\/account\/forgot-password$/)
  })

  it('asks for a new password, and sets it by the link of the mail, once', async () => {
    const user = await newUser()
    const address = `/account/forgot-password?tenant=${tenant.id}`
    assert.match(await (await get(address)).text(), /<label for="userName">User name or email<\/label>/)
    const asked = await post(address, { userName: user.email })
    assert.equal(asked.status, 200)
    const known = await asked.text()
    assert.equal(await (await post(address, { userName: 'nobody' })).text(), known)
    const link = await linkTo(user.email)
    assert.ok(link.startsWith(`/account/reset-password?tenant=${tenant.id}&token=`), link)
    assert.match(await (await get(link)).text(), /autocomplete="new-password"/)
    const weak = await post(link, { password: 'weak' })
    assert.equal(weak.status, 400)
    assert.match(await weak.text(), /aria-invalid="true"[\s\S]*id="password-fault"/)
    const done = await post(link, { password: 'Forgotten@789' })
    assert.equal(done.status, 200)
    const said = await done.text()
    assert.match(said, /The password is set/)
    assert.ok(said.includes(signInLink(`${baseUrl}/console?tenant=${tenant.id}`)), said)
    await service.signIn(user.userName, tenant.id, 'Forgotten@789')
    const again = await post(link, { password: 'Forgotten@790' })
    assert.equal(again.status, 400)
    assert.match(await again.text(), /This link is not valid/)
    assert.match(await (await get(link)).text(), /This link is not valid/)
  })

  it('accepts an invitation, and says which field is wrong', async () => {
    const { email, link } = await invited()
    assert.match(await (await get(link)).text(), new RegExp(`boss has invited ${email}`))
    const userName = uniqueName('new')
    const input = { userName, firstName: 'Ada', lastName: '<b>Love', password: 'Invited@123' }
    const taken = await post(link, { ...input, userName: 'boss' })
    assert.equal(taken.status, 400)
    const text = await taken.text()
    assert.match(text, /id="userName-fault"/)
    assert.ok(text.includes('value="&lt;b&gt;Love"') && !text.includes('Invited@123'))
    const accepted = await post(link, input)
    const said = await accepted.text()
    assert.match(said, new RegExp(`Sign in as ${userName}`))
    assert.ok(said.includes(signInLink(`${baseUrl}/console?tenant=${tenant.id}`)), said)
    const { client } = await service.signIn(userName, tenant.id, 'Invited@123')
    assert.equal((await client.get('/api/auth/me')).body.email, email)
    assert.match(await (await get(link)).text(), /This link is not valid/)
  })

  it('leads to the address that was asked for, and to no other site', async () => {
    const returnTo = '/shop?from=mail'
    const email = `${uniqueName('guest')}@example.com`
    assert.equal((await tenant.admin.post('/api/invitations', { email, returnTo })).status, 201)
    const link = await linkTo(email)
    const input = {
      userName: uniqueName('new'),
      firstName: 'Ada',
      lastName: 'Love',
      password: 'Invited@123',
    }
    const shop = signInLink(`${baseUrl}/shop?from=mail`)
    assert.ok((await (await post(link, input)).text()).includes(shop))
    const used = await (await get(link)).text()
    assert.ok(/This link is not valid/.test(used) && used.includes(`${baseUrl}/shop?from=mail`), used)

    const user = await newUser()
    const query = new URLSearchParams({ tenant: tenant.id, returnTo })
    assert.equal((await post(`/account/forgot-password?${query}`, { userName: user.email })).status, 200)
    const reset = await post(await linkTo(user.email), { password: 'Forgotten@789' })
    assert.ok((await reset.text()).includes(shop))

    const evil = 'https://evil.example/'
    const refused = await tenant.admin.post('/api/invitations', { email: 'a@b.example', returnTo: evil })
    assert.match(refused.text, /returnTo: must be a path of this service/)
    const asked = await service.anonymous.post('/api/auth/forgot-password', { userName: 'x', returnTo: evil })
    assert.equal(asked.status, 400, asked.text)
    const page = await get(`/account/reset-password?tenant=${tenant.id}&token=x&returnTo=${evil}`)
    assert.equal(page.status, 400)
    assert.ok(!(await page.text()).includes(evil))
  })

  it('refuses a form that another site has sent, and one that is no form', async () => {
    const address = `/account/forgot-password?tenant=${tenant.id}`
    const form = { userName: 'boss' }
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])
      assert.equal((await post(address, form, headers)).status, 403, JSON.stringify(headers))
    assert.equal((await post(address, form, { 'content-type': 'text/plain' })).status, 415)
    assert.equal((await post(address, { userName: 'x'.repeat(20_000) })).status, 413)
    const deep = await post(address, { userName: '\0' })
    assert.equal(deep.status, 400)
  })

  it('takes a form from the origin of BASE_URL, also if a proxy has changed the host of the request', async () => {
    const address = `/account/forgot-password?tenant=${tenant.id}`
    for (const origin of [baseUrl, `${baseUrl}:443`])
      assert.equal((await post(address, { userName: 'boss' }, { origin })).status, 200, origin)
    for (const origin of [`${baseUrl}:444`, `${baseUrl}.evil.example`, baseUrl.replace('https', 'http')])
      assert.equal((await post(address, { userName: 'boss' }, { origin })).status, 403, origin)
  })

  it('is no page for a tenant that does not exist, and says so as a page', async () => {
    const missing = await get('/account/forgot-password?tenant=nobody')
    assert.equal(missing.status, 404)
    assert.equal(missing.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(await missing.text(), /<h1>There is no such tenant\.<\/h1>/)
    const program = await get('/account/forgot-password?tenant=nobody', { accept: 'application/json' })
    assert.deepEqual(await program.json(), { message: 'There is no such tenant.' })
  })

  it('counts its forms like sign-ins', async () => {
    const headers = fromAnyAddress()
    const address = `/account/reset-password?tenant=${tenant.id}&token=x`
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => post(address, { password: 'x' }, headers)),
    )
    assert.equal(answers.filter(({ status }) => status === 429).length, 1)
    const limited = answers.find(({ status }) => status === 429)
    assert.match((await limited?.text()) ?? '', /<h1>Too many requests/)
  })

  it('is in the language and the colours of its tenant, and loads nothing but its logo', async () => {
    const french = await service.newTenant()
    const change = {
      locale: 'fr-CH',
      brandName: 'Café <Paul>',
      brandLogoUrl: 'https://cdn.example/logo.svg',
      brandColor: '#ffeb3b',
    }
    assert.equal((await french.admin.put('/api/tenant/settings', change)).status, 200)
    const page = await get(`/account/forgot-password?tenant=${french.id}`)
    const text = await page.text()
    assert.match(text, /<html lang="fr">[\s\S]*Mot de passe oublié · Café &lt;Paul&gt;/)
    assert.match(text, /--solid: #ffeb3b; --on-solid: #1c2024;/)
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(
      policy,
      /^default-src 'none'; style-src 'sha256-[^']{44}'; img-src https:\/\/cdn\.example; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
    )
    assert.equal(page.headers.get('cache-control'), 'no-store')
    const weak = await post(`/account/forgot-password?tenant=${french.id}`, { userName: '' })
    assert.match(await weak.text(), /Corrigez les champs marqués/)
  })

  it('is in German, with each fault of a form and the mail that it causes', async () => {
    const german = await service.newTenant()
    const change = { locale: 'de-AT', brandName: 'Käse & Brot' }
    assert.equal((await german.admin.put('/api/tenant/settings', change)).status, 200)
    const address = `/account/forgot-password?tenant=${german.id}`
    assert.match(
      await (await get(address)).text(),
      /<html lang="de">[\s\S]*Passwort vergessen · Käse &amp; Brot/,
    )
    const faulty = await (await post(address, { userName: '' })).text()
    assert.match(faulty, /Korrigieren Sie die markierten Felder[\s\S]*braucht mindestens ein Zeichen/)
    const { body: user } = await german.admin.post('/api/users', person(uniqueName('ada')))
    assert.match(await (await post(address, { userName: user.userName })).text(), /ist eine E-Mail unterwegs/)
    const reset = await (await get(await linkTo(user.email))).text()
    assert.match(reset, /<h1>Neues Passwort wählen/)
    const link = await linkTo(user.email)
    const refused = async (password: string) => (await post(link, { password })).text()
    assert.match(await refused('Password1!'), /ist ein verbreitetes oder bekannt gewordenes Passwort/)
    assert.match(await refused('kurz'), /braucht mindestens 8 Zeichen/)
    assert.match(await refused('lang-genug-aber'), /muss einen Großbuchstaben/)
    const mail = mails.list().findLast(({ to }) => to === user.email)
    assert.equal(mail?.subject, 'Ihr Passwort für Käse & Brot zurücksetzen')
    assert.match(
      mail?.text ?? '',
      /Neues Passwort wählen:\n[\s\S]*Diese Nachricht wurde von Käse & Brot gesendet/,
    )
  })

  it('is not there when the application has pages of its own, to which the links of mails lead', async () => {
    const collected = new CollectedMails()
    const settings = { ACCOUNT_URL: 'https://app.example/account' }
    const other = await startService(database, settings, { mailTransport: collected })
    const address = new URL('/account/forgot-password', other.url)
    assert.equal((await fetch(address)).status, 404)
    await other.anonymous.post('/api/auth/forgot-password', { userName: 'admin' })
    await eventually('the mail', soonMs, async () => collected.list().length > 0)
    const link = /^https:\S+$/m.exec(collected.list()[0]?.text ?? '')?.[0] ?? ''
    assert.match(link, /^https:\/\/app\.example\/account\/reset-password\?tenant=default#token=[\w-]{43}$/)
    await other.stop()
  })

  it('is not in the OpenAPI document', async () => {
    const document = await (await fetch(new URL('/swagger/v1/swagger.json', service.url))).text()
    assert.ok(document.includes('/api/auth/reset-password') && !document.includes('/account/'))
  })
})
