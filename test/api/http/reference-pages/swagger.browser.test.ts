/** The page `/swagger`: what it shows, and how it signs in. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { openPage } from '../../../support/browser.ts'
import { inBrowser } from '../../../support/console.ts'
import { type OpenApi, operationsOf, readOpenApi } from '../../../support/http/openapi-document.ts'
import { triesAll } from '../../../support/run/extent.ts'
import { form, keepsNothing, said, submitForm } from './sign-in-form.ts'

const refused = ['console: Failed to load resource: the server responded with a status of 401 (Unauthorized)']

inBrowser('/swagger', (scene) => {
  before(async () => {
    await scene.service.host.post('/api/products', { name: 'Walnut desk', price: 19.99 })
  })

  it('shows operations, and sends requests with the token of the form that signs in', async () => {
    const document = someOf(await readOpenApi(scene.service.anonymous))
    const { page, faults } = await openPage(scene.browser, `${scene.service.url}/health/live`)
    await page.route('**/swagger.json', (route) => route.fulfill({ json: document }))
    await page.goto(`${scene.service.url}/swagger`)
    await page.locator('.opblock').first().waitFor()
    assert.equal(await page.locator('.opblock').count(), operationsOf(document).size)
    assert.equal(await page.locator('.opblock-tag').first().getAttribute('data-tag'), 'Authentication')
    await submitForm(page, { userName: 'admin', secret: 'Wrong@123' })
    await said(page, /^The user name or the password is wrong/)
    assert.deepEqual(faults.splice(0), refused)
    await submitForm(page, { userName: 'admin' })
    await said(page, /^Signed in as admin of default, until \d/)
    const user = page.locator('#operations-Authentication-getCurrentUser')
    await execute(user)
    await replied(user, 200, '"tenantId": "default"')
    await keepsNothing(page)
    await form(page).getByRole('button', { name: 'Sign out' }).click()
    await user.locator('button.execute').click()
    await replied(user, 401, 'the request has none')
    assert.deepEqual(faults.splice(0), refused)

    const login = page.locator('#operations-Authentication-login') // with its example, as the tour does
    await execute(login)
    await replied(login, 200, '"userName": "admin"')
    assert.deepEqual(faults, [])
  })

  if (triesAll)
    it('shows every operation of the service, and sends requests with a token', async () => {
      const { service, browser } = scene
      const { accessToken } = await service.signIn('admin')
      const { page, faults } = await openPage(browser, `${service.url}/swagger`)
      await showsWhenScrolled(page, operationsOf(await readOpenApi(service.anonymous)).size)
      await page.locator('button.authorize').first().click()
      await page.locator('#auth-bearer-value').fill(accessToken)
      await page.locator('.auth-container button.authorize').first().click()
      await page.locator('.auth-container .btn-done').first().click()
      const list = page.locator('#operations-Products-listActiveProducts')
      await scrollThrough(page, async () => (await list.count()) > 0)
      await execute(list)
      await replied(list, 200, 'Walnut desk')
      assert.deepEqual(faults, [])
    })
})

const someOperations = new Set(['login', 'getCurrentUser', 'listActiveProducts'])

/** A document of few operations: Swagger UI takes seconds of processor time for that of the service. */
function someOf(document: OpenApi): OpenApi {
  const paths = Object.entries(document.paths).flatMap(([path, item]) => {
    const kept = Object.entries(item).filter(([, { operationId }]) => someOperations.has(operationId))
    return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)] as const]
  })
  const { schemas, ...components } = document.components
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...components, schemas: namedIn([Object.fromEntries(paths), components], schemas) },
  }
}

type Schemas = OpenApi['components']['schemas']

/** The schemas that are named in `part`, and in those. */
function namedIn(part: unknown, schemas: Schemas, known: Schemas = {}): Schemas {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([\w.-]+)"/g)) {
    const schema = schemas[name]
    if (schema === undefined || name in known) continue
    known[name] = schema
    namedIn(schema, schemas, known)
  }
  return known
}

/** With many operations Swagger UI has only those in sight in the page. */
async function showsWhenScrolled(page: Page, known: number): Promise<void> {
  const seen = new Set<string>()
  await page.locator('.opblock').first().waitFor()
  await scrollThrough(page, async () => {
    for (const id of await page.locator('.opblock').evaluateAll(elementIds)) seen.add(id)
    return seen.size >= known
  })
  assert.equal(seen.size, known)
}

/** Scrolls down from the top, by half a window, until `isDone` or the end of the page. */
async function scrollThrough(page: Page, isDone: () => Promise<boolean>): Promise<void> {
  await page.evaluate('scrollTo(0, 0)')
  const isAtEnd = 'scrollY + innerHeight >= document.documentElement.scrollHeight - 1'
  const frames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'
  while (!(await isDone())) {
    if (await page.evaluate(isAtEnd)) return
    await page.evaluate('scrollBy(0, innerHeight / 2)')
    await page.evaluate(frames)
  }
}

function elementIds(elements: { id: string }[]): string[] {
  return elements.map(({ id }) => id)
}

async function execute(operation: Locator): Promise<void> {
  await operation.locator('.opblock-summary-control').click()
  await operation.locator('button.execute').click()
}

async function replied(operation: Locator, status: number, text: string): Promise<void> {
  const reply = operation.locator('.live-responses-table')
  await reply
    .locator('td.response-col_status')
    .filter({ hasText: String(status) })
    .waitFor()
  await reply.filter({ hasText: text }).waitFor()
}
