/** The reference pages sign in and keep tokens in memory only. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { chromiumPath, openPage, startBrowser } from '../../../support/browser.ts'
import { password, startService, type TestService } from '../../../support/service.ts'
import { executeQuery, shows, writeOperation } from './graphiql-page.ts'

const noBrowser = 'there is no Chromium; CHROMIUM_PATH says where another one is'
const refused = ['console: Failed to load resource: the server responded with a status of 401 (Unauthorized)']

describe('Signing in on a page', { skip: chromiumPath === null && noBrowser }, () => {
  let service: TestService
  let browser: Browser
  let tenant: string
  before(async () => {
    service = await startService('sqlite')
    browser = await startBrowser(chromiumPath ?? '')
    tenant = (await service.newTenant()).id
  })
  after(async () => {
    await browser.close()
    await service.stop()
  })

  it('/swagger sends the token that it got with the requests that follow', async () => {
    const { page, faults } = await openPage(browser, `${service.url}/swagger`)
    const operation = page.locator('#operations-Authentication-getCurrentUser')
    await submitForm(page, { userName: 'admin', secret: 'Wrong@123' })
    await said(page, /^The user name or the password is wrong/)
    assert.deepEqual(faults.splice(0), refused)
    await submitForm(page, { userName: 'admin' })
    await said(page, /^Signed in as admin of default, until \d/)
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('button.execute').click()
    await replied(operation, 200, '"tenantId": "default"')
    await keepsNothing(page)
    await form(page).getByRole('button', { name: 'Sign out' }).click()
    await operation.locator('button.execute').click()
    await replied(operation, 401, 'the request has none')
    assert.deepEqual(faults, refused)
  })

  it('/swagger signs in with its example, as the tour does', async () => {
    const { page, faults } = await openPage(browser, `${service.url}/swagger`)
    assert.equal(await page.locator('.opblock-tag').first().getAttribute('data-tag'), 'Authentication')
    const operation = page.locator('#operations-Authentication-login')
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('button.execute').click()
    await replied(operation, 200, '"userName": "admin"')
    assert.deepEqual(faults, [])
  })

  it('/api-docs signs in to another tenant', async () => {
    const { page, faults } = await openPage(browser, `${service.url}/api-docs`)
    assert.equal(await page.locator('nav h3').first().innerText(), 'Authentication')
    await submitForm(page, { userName: 'boss', tenantId: tenant })
    await said(page, new RegExp(`^Signed in as boss of ${tenant}, until `))
    const operation = page.locator('#getCurrentUser')
    await operation.locator('> summary').click()
    await operation.getByRole('button', { name: 'Send' }).click()
    await operation
      .locator('.result')
      .filter({ hasText: `"tenantId": "${tenant}"` })
      .waitFor()
    await keepsNothing(page)
    await form(page).getByRole('button', { name: 'Sign out' }).click()
    assert.equal(await page.locator('#token').inputValue(), '')
    assert.deepEqual(faults, [])
  })

  it('/graphql/ui sends the token with operations whose headers name no other', async () => {
    const { page, faults } = await openPage(browser, `${service.url}/graphql/ui`)
    await writeOperation(page, 'Me', 'query Me { me { userName tenantId } }')
    await executeQuery(page)
    await shows(page, /A valid bearer token is required/)
    await submitForm(page, { userName: 'boss', tenantId: tenant })
    await said(page, new RegExp(`^Signed in as boss of ${tenant}, until `))
    await executeQuery(page)
    await shows(page, /"userName": "boss"/)
    await keepsNothing(page)
    assert.deepEqual(faults, [])
  })
})

function form(page: Page): Locator {
  return page.getByRole('form', { name: 'Sign in' })
}

interface Given {
  userName: string
  secret?: string
  tenantId?: string
}

async function submitForm(page: Page, { userName, secret = password, tenantId = '' }: Given): Promise<void> {
  await form(page).getByLabel('User name').fill(userName)
  await form(page).getByLabel('Password').fill(secret)
  await form(page).getByLabel('Tenant').fill(tenantId)
  await form(page).getByRole('button', { name: 'Sign in' }).click()
}

async function said(page: Page, text: RegExp): Promise<void> {
  await form(page).getByRole('status').filter({ hasText: text }).waitFor()
}

async function replied(operation: Locator, status: number, text: string): Promise<void> {
  const reply = operation.locator('.live-responses-table')
  await reply
    .locator('td.response-col_status')
    .filter({ hasText: String(status) })
    .waitFor()
  await reply.filter({ hasText: text }).waitFor()
}

/** Neither in what outlives the page, nor in a field that others may look at. */
async function keepsNothing(page: Page): Promise<void> {
  const stored = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'
  assert.doesNotMatch(String(await page.evaluate(stored)), /eyJ|Admin@123/)
  assert.equal(await form(page).getByLabel('Password').inputValue(), '')
}
