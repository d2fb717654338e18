/** Sign-ups that wait for approval, in Chromium. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { CollectedMails } from '../../src/testing/collected-mails.ts'
import { chromiumPath, startBrowser } from '../support/browser.ts'
import { control, violationsOf } from '../support/console.ts'
import { startService, type TestService, uniqueName } from '../support/service.ts'
import { Applicant } from '../tenancy/sign-up/applicant.ts'
import { closePages, openConsoleAs } from './administrator.ts'

const noBrowser = 'there is no Chromium; CHROMIUM_PATH says where another one is'

describe('Sign-ups in the console', { skip: chromiumPath === null && noBrowser }, () => {
  const mails = new CollectedMails()
  let service: TestService
  let browser: Browser
  before(async () => {
    service = await startService('sqlite', { SIGN_UP: 'approval' }, { mailTransport: mails })
    browser = await startBrowser(chromiumPath ?? '')
  })
  afterEach(() => closePages(browser))
  after(async () => {
    await browser.close()
    await service.stop()
  })

  const waiting = async (): Promise<Applicant> => {
    const applicant = new Applicant(service, mails)
    await applicant.verify(await applicant.signUp({ subdomain: uniqueName('org') }))
    return applicant
  }

  it('are approved and rejected by an administrator of the host', async () => {
    const [welcome, unknown] = [await waiting(), await waiting()]
    const { page, faults } = await openConsoleAs(
      service,
      browser,
      { name: 'admin', tenant: 'default' },
      '/sign-ups',
    )
    const rowOf = ({ email }: Applicant) => page.getByRole('row').filter({ hasText: email })
    await rowOf(welcome).getByRole('button', { name: 'Approve' }).click()
    await page.getByText(`The ${welcome.name} is approved.`).waitFor()
    await rowOf(welcome).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Open the tenant' }).click()
    await page.getByRole('heading', { name: `The ${welcome.name}` }).waitFor()
    const tenantId = new URL(page.url()).pathname.split('/').at(-1)
    await service.signIn('ada', tenantId)

    await page.getByRole('link', { name: 'Sign-ups' }).click()
    await rowOf(unknown).getByRole('button', { name: 'Reject' }).click()
    assert.deepEqual(await violationsOf(page), [])
    await control(page, 'Reason').fill('We know no such organisation.')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText(`The ${unknown.name} is rejected.`).waitFor()
    await page.getByText('No sign-up waits for approval.').waitFor()
    assert.match((await unknown.mail('account.signUpRejected')).text, /We know no such organisation\./)
    assert.deepEqual((await service.host.get('/api/sign-ups')).body, [])
    assert.deepEqual(faults, [])
  })

  it('are no page of other tenants, whose administrators have the permission as well', async () => {
    const { id } = await service.newTenant()
    const { page, faults } = await openConsoleAs(service, browser, { name: 'boss', tenant: id }, '/sign-ups')
    await page.getByText('There is nothing at this address.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Sign-ups' }).count(), 0)
    assert.deepEqual(faults, [])
  })
})
