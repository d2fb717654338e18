/** The page on mail: its example is the one in `examples`, and what it says of it is so. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, it, test } from 'node:test'
import { announceInvoice, invoiceMails } from '../../examples/mail/invoice-mail.ts'
import { loadConfig } from '../../src/core/settings/config.ts'
import { mailing } from '../../src/core/settings/rate-limit-policy.ts'
import { forTenant } from '../../src/core/tenant/each-tenant.ts'
import { emailAddressMails } from '../../src/identity/email-address/mail.ts'
import { invitationMails } from '../../src/identity/invitation/mail.ts'
import { recoveryMails } from '../../src/identity/recovery/mail.ts'
import { secondFactorMails } from '../../src/identity/second-factor/mail.ts'
import { sessionMails } from '../../src/identity/session/mail.ts'
import { singleSignOnMails } from '../../src/identity/single-sign-on/mail.ts'
import { userMails } from '../../src/identity/user/mail.ts'
import { defaultMailLimits } from '../../src/mail/queue/limiter.ts'
import { mailStatuses } from '../../src/mail/schema.ts'
import { signUpMails } from '../../src/tenancy/sign-up/mail.ts'
import { createTestService } from '../../src/testing.ts'
import { codeSpans, fencedBlocks, readDocument, tableUnder, textOf } from './markdown.ts'

const page = readDocument('docs/identity/mail.md')

describe('the page on mail', () => {
  test('shows the example as it is', () => {
    const text = readDocument('examples/mail/invoice-mail.ts').replaceAll('../../src/index.ts', 'tenantry')
    assert.ok(fencedBlocks(page).some((block) => block.text === text))
  })

  test('names every status, and the limits as they are', () => {
    const listed = tableUnder(page, 'What becomes of a mail').map(([status = '']) =>
      status.replaceAll('`', ''),
    )
    assert.deepEqual(listed, mailStatuses)
    const { total, perTenant, deadlineMs, perAddressPerHour, perTenantPerHour } = defaultMailLimits
    for (const said of [
      `${total}, of which one tenant uses at most ${perTenant}`,
      `${deadlineMs / 1000} seconds`,
      `${perAddressPerHour} to an address and ${perTenantPerHour} of a tenant`,
      `${mailing.requests} within an hour`,
      `${loadConfig({}, tmpdir()).mailRetentionDays} by default`,
    ])
      assert.ok(textOf(page).includes(said), said)
  })

  test('tells of every mail that others can cause', () => {
    const accounts = { ...signUpMails, ...recoveryMails, ...invitationMails, ...emailAddressMails }
    const mails = { ...accounts, ...userMails, ...sessionMails, ...secondFactorMails, ...singleSignOnMails }
    // The host decides on these, about an address that is verified.
    const ofHost = ['account.signUpCompleted', 'account.signUpRejected']
    const told = tableUnder(page, 'What strangers can send').flatMap(([cell = '']) => codeSpans(cell))
    assert.deepEqual([...told, ...ofHost].toSorted(), Object.keys(mails).toSorted())
  })
})

for (const hasOwnDatabase of [false, true]) {
  const where = hasOwnDatabase ? "the tenant's own" : 'the shared'
  it(`The example sends its mail from ${where} database, with the brand and the language of the tenant`, async () => {
    await using service = await createTestService({ features: [invoiceMails] })
    const tenant = await service.newTenant(hasOwnDatabase ? { connectionString: 'sqlite:own.db' } : {})
    const settings = await tenant.admin.put('/api/tenant/settings', {
      brandName: 'Acme & Co',
      locale: 'fr-CH',
    })
    assert.equal(settings.status, 200)
    const operator = await service.service.operator()
    await forTenant(operator, tenant.id, (context) => announceInvoice(context, 'ada@acme.example', 'R-7'))
    const mails = await service.mails()
    assert.equal(mails.length, 1)
    const [mail] = mails
    assert.deepEqual([mail?.to, mail?.subject], ['ada@acme.example', 'Facture R-7 de Acme & Co'])
    assert.match(mail?.text ?? '', /https:\/\/app\.example\.com\/invoices\/R-7/)
    assert.match(mail?.html ?? '', /Acme &amp; Co/)
    const jobs = JSON.stringify((await tenant.admin.get('/api/jobs')).body)
    assert.ok(!jobs.includes('invoices/R-7'))
  })
}
