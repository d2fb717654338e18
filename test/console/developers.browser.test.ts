/** The pages for developers, and the requests of any page to be copied. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { assertFaultless, inBrowser, openOwnConsole, show } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { triesAll } from '../support/run/extent.ts'

const run = promisify(execFile)
const permissions = ['clipboard-read', 'clipboard-write']

inBrowser('The pages for developers', (scene) => {
  it('give the request of any page as a command and as code, and run a query in GraphiQL as the user who is signed in', async () => {
    const { service, browser } = scene
    const { id: tenantId, admin } = await service.newTenant()
    await admin.post('/api/products', { name: 'Oak desk', price: 1 })
    const path = '/entities/product?name=Oak%20desk'
    const opened = await openOwnConsole(browser, service, path, { tenantId, permissions })
    const { page } = opened
    await page.locator('tbody:not(.placeholder) tr').first().waitFor()
    await page.getByText('As code', { exact: true }).click()
    const token = admin.headers['authorization']?.replace('Bearer ', '') ?? ''
    const command = await copied(page, 'Copy as curl')
    const { stdout } = await run('sh', ['-c', `${command} --silent`], {
      env: { ...process.env, TOKEN: token },
    })
    assert.match(stdout, /Oak desk/)
    const code = await copied(page, 'Copy as JavaScript')
    const data = await new Function('token', `return (async () => { ${code}\nreturn data })()`)(token)
    assert.match(JSON.stringify(data), /Oak desk/)
    await show(page, '/users')
    await page.getByRole('link', { name: 'boss' }).waitFor()
    await page.getByText('GET /api/users').first().waitFor({ state: 'attached' })
    assert.equal(await page.getByText('GET /api/products').count(), 0)

    await show(page, '/developers')
    await page.getByRole('main').getByRole('link', { name: 'GraphiQL' }).click()
    const frame = page.frameLocator('iframe')
    await frame.getByText('Signed in by the console.').waitFor()
    assert.equal(await frame.getByLabel('Password').isVisible(), false)
    const editor = 'section[aria-label="Query Editor"] .graphiql-editor:not(.hidden) .CodeMirror'
    await frame.locator(editor).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText('query names { products { name } }')
    const noticed = "localStorage.getItem('graphiql:operationName') === 'names'"
    await eventually('the query is noticed', soonMs, () => page.evaluate<boolean>(noticed))
    await frame.getByRole('button', { name: 'Execute query' }).click()
    await frame.getByRole('region', { name: 'Result Window' }).filter({ hasText: 'Oak desk' }).waitFor()

    const ownTab = page.getByRole('link', { name: 'Open in a tab of its own' })
    assert.equal(await ownTab.getAttribute('href'), '/graphql/ui')
    for (const name of triesAll ? ['api-docs', 'swagger'] : []) {
      await show(page, `/developers/${name}`)
      await frame.locator('.operation, .opblock').first().waitFor()
      await frame.getByText('Signed in by the console.').waitFor()
      assert.equal(await ownTab.getAttribute('href'), `/${name}`)
    }
    assertFaultless(opened)
  })
})

async function copied(page: Page, label: string): Promise<string> {
  await page.getByRole('button', { name: label }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  return page.evaluate('navigator.clipboard.readText()')
}
