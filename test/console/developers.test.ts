/** The pages for developers, and the ways from any page to its requests and to other pages. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { assertFaultless, inBrowser, openConsole } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'

const run = promisify(execFile)

inBrowser('The pages for developers', (scene) => {
  it('run a query in GraphiQL, as the user who is signed in', async () => {
    const tenant = await scene.service.newTenant()
    await tenant.admin.post('/api/products', { name: 'Oak desk', price: 1 })
    const opened = await open('/developers', tenant.id)
    await opened.page.getByRole('main').getByRole('link', { name: 'GraphiQL' }).click()
    const frame = opened.page.frameLocator('iframe')
    await frame.getByText('Signed in by the console.').waitFor()
    assert.equal(await frame.getByLabel('Password').isVisible(), false)
    const editor = 'section[aria-label="Query Editor"] .graphiql-editor:not(.hidden) .CodeMirror'
    await frame.locator(editor).click()
    await opened.page.keyboard.press('Control+A')
    await opened.page.keyboard.insertText('query names { products { name } }')
    const noticed = "localStorage.getItem('graphiql:operationName') === 'names'"
    await eventually('the query is noticed', soonMs, () => opened.page.evaluate<boolean>(noticed))
    await frame.getByRole('button', { name: 'Execute query' }).click()
    await frame.getByRole('region', { name: 'Result Window' }).filter({ hasText: 'Oak desk' }).waitFor()
    assertFaultless(opened)
    await opened.page.close()
  })

  it('show the reference, signed in, and offer a tab of its own', async () => {
    const tenant = await scene.service.newTenant()
    for (const [name, address] of [
      ['api-docs', '/api-docs'],
      ['swagger', '/swagger'],
    ] as const) {
      const opened = await open(`/developers/${name}`, tenant.id)
      await opened.page.frameLocator('iframe').getByText('Signed in by the console.').waitFor()
      const link = opened.page.getByRole('link', { name: 'Open in a tab of its own' })
      assert.equal(await link.getAttribute('href'), address)
      assertFaultless(opened)
      await opened.page.close()
    }
  })

  it('are in no frame of another origin', async () => {
    for (const path of ['/graphql/ui', '/api-docs', '/swagger']) {
      const { headers } = await scene.service.anonymous.get(path)
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'self';/)
    }
    const { headers } = await scene.service.anonymous.get('/console')
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none';/)
    assert.equal(headers.get('x-frame-options'), 'DENY')
  })

  const open = (path: string, tenantId: string) =>
    openConsole(scene.browser, scene.service, path, {
      tenantId,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
})

inBrowser('Any page', (scene) => {
  it('gives its request as a command and as code that do the same', async () => {
    const tenant = await scene.service.newTenant()
    await tenant.admin.post('/api/products', { name: 'Oak desk', price: 1 })
    for (const [path, expected] of [
      ['/entities/product?name=Oak%20desk', 'Oak desk'],
      ['/users', 'boss'],
    ] as const) {
      const opened = await openConsole(scene.browser, scene.service, path, {
        tenantId: tenant.id,
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      const { page } = opened
      await page.locator('tbody:not(.placeholder) tr').first().waitFor()
      await page.getByText('As code', { exact: true }).click()
      const token = tenant.admin.headers['authorization']?.replace('Bearer ', '') ?? ''
      const command = await copied(page, 'Copy as curl')
      const { stdout } = await run('sh', ['-c', `${command} --silent`], {
        env: { ...process.env, TOKEN: token },
      })
      assert.match(stdout, new RegExp(expected))
      const code = await copied(page, 'Copy as JavaScript')
      const data = await new Function('token', `return (async () => { ${code}\nreturn data })()`)(token)
      assert.match(JSON.stringify(data), new RegExp(expected))
      assertFaultless(opened)
      await page.close()
    }
  })

  it('leads to any other by the keyboard alone', async () => {
    const tenant = await scene.service.newTenant()
    const opened = await openConsole(scene.browser, scene.service, '', { tenantId: tenant.id })
    const { page } = opened
    await page.getByRole('button', { name: 'Go to…' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox', { name: 'Type the name of a page' }).waitFor()
    await page.keyboard.type('subscr')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/subscriptions')
    await page.getByRole('heading', { name: 'Subscriptions' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Escape')
    await eventually(
      'the dialog is closed',
      soonMs,
      async () => (await page.getByRole('dialog').count()) === 0,
    )
    assertFaultless(opened)
    await page.close()
  })
})

async function copied(page: Page, label: string): Promise<string> {
  await page.getByRole('button', { name: label }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  return page.evaluate('navigator.clipboard.readText()')
}
