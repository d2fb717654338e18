/** After a change of the master key, secrets of identity and mails that wait are readable without the former one. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { forTenant } from '../../../src/core/tenant/each-tenant.ts'
import { inTransaction } from '../../../src/core/transaction.ts'
import { sendMailOfChange } from '../../../src/jobs/mail.ts'
import { reencryptAll } from '../../../src/operations/reencrypt/reencrypt.ts'
import { Browser } from '../../identity/single-sign-on/browser.ts'
import { greet, greetingFeature, secretUrl } from '../../mail/mail-feature.ts'
import { mfaToken, newFactorUser, verify } from '../../support/authenticator-app.ts'
import { TestClock } from '../../support/clock.ts'
import { futureDatabase } from '../../support/database/future-database.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'
import { clientId, clientSecret, startIdentityProvider } from '../../support/identity-provider.ts'
import { startMailServer } from '../../support/mail/mail-server.ts'
import { startService, type TestService } from '../../support/service.ts'

const baseUrl = 'http://app.localhost'
const values = { name: 'Ada', url: secretUrl }

onEitherDatabase('Re-encryption', (database) => {
  it('includes secrets of authenticator apps, client secrets, and mails that wait', async () => {
    await using open = new AsyncDisposableStack()
    const clock = new TestClock()
    const port = await freePort()
    const settings = { BASE_URL: baseUrl, SMTP_URL: `smtp://127.0.0.1:${port}` }
    const service = await startService(database, settings, { clock: clock.now, features: [greetingFeature] })
    open.defer(() => service.stop())
    const provider = await startIdentityProvider(baseUrl)
    open.defer(() => provider.close())
    const own = database === 'postgres' ? await futureDatabase() : null
    open.defer(async () => own?.drop())
    const tenant = await service.newTenant({ connectionString: own?.url ?? 'sqlite:own.db' })
    const user = await newFactorUser(service, clock, tenant.id)
    const client = { issuer: provider.issuer, clientId, clientSecret }
    assert.equal((await tenant.admin.put('/api/tenant/sso', client)).status, 200)
    provider.users.set('ada', { email: user.email, email_verified: true })
    provider.next = 'ada'
    await greet(service, tenant.id, 'waits@acme.example')
    await enqueueMail(service, tenant.id, new Date(clock.now().getTime() + 300_000))
    await service.service.queueWorkers.drain()

    await changeMasterKey(service)

    const { app } = user
    const token = await mfaToken(service, user)
    assert.equal((await verify(service, tenant.id, { token, code: app.nextCode() })).status, 200)
    const returned = await visitProvider(service, tenant.id)
    // The provider has accepted the client secret: the address that it tells is of a domain that is not proven.
    assert.equal(returned.searchParams.get('sign_in_error'), 'not_allowed')
    const { body: refused } = await tenant.admin.get('/api/audit?action=sso.refused')
    assert.match(refused[0].detail.reason, /example\.com is not proven/)
    const server = open.use(await startMailServer({}, port))
    clock.advance({ minutes: 5 })
    await service.service.queueWorkers.drain()
    await service.service.queueWorkers.drain()
    for (const to of ['waits@acme.example', 'of-a-change@acme.example']) {
      // At least once: a lease ends when the clock is moved during an attempt.
      const mails = server.received.filter((each) => each.to[0] === to)
      assert.ok(mails.length > 0, to)
      assert.ok(mails.every(({ source }) => source.includes('2f9c1f1e6f5d4b0a8d7e')))
    }
    const { body: jobs } = await tenant.admin.get('/api/jobs?name=mail.store')
    const { body: job } = await tenant.admin.get(`/api/jobs/${jobs[0].id}`)
    assert.deepEqual([job.status, job.data], ['SUCCEEDED', { template: 'test.greet' }])
  })
})

/** A mail of a change in the tenant's own database, whose job is not due yet. */
async function enqueueMail({ service }: TestService, tenantId: string, dueAt: Date): Promise<void> {
  await forTenant(await service.operator(), tenantId, (context) =>
    inTransaction(context, async (inside) => {
      await sendMailOfChange(inside, 'test.greet', { to: 'of-a-change@acme.example', values })
      await inside.data.kysely.updateTable('queued_job').set({ next_at: dueAt.toISOString() }).execute()
    }),
  )
}

/** As docs/operations/master-key.md says, without a restart. Afterwards the former key is unknown. */
async function changeMasterKey({ service, config }: TestService): Promise<void> {
  const present = randomBytes(32)
  service.changeMasterKeys(present, [config.masterKey])
  let done = 0
  await reencryptAll(await service.operator(), {
    dryRun: false,
    report: ({ reencrypted }) => {
      assert.deepEqual([reencrypted?.undecryptable, reencrypted?.left], [0, 0])
      done += reencrypted?.done ?? 0
    },
  })
  assert.ok(done > 0)
  service.changeMasterKeys(present, [])
}

function visitProvider({ url }: TestService, tenantId: string): Promise<URL> {
  const returnTo = `${baseUrl}/account/sso`
  const codeChallenge = createHash('sha256').update('verifier').digest('base64url')
  const query = new URLSearchParams({ returnTo, codeChallenge })
  const start = `${baseUrl}/api/auth/sso/${tenantId}/start?${query}`
  return new Browser({ [baseUrl]: url }).follow(start, returnTo)
}
