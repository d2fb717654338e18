/** The page `/api-docs` in a browser, and that pages do nothing unnoticed. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openPage } from '../../../support/browser.ts'
import { inBrowser } from '../../../support/console.ts'
import { operationsOf, readOpenApi } from '../../../support/http/openapi-document.ts'
import { form, keepsNothing, said, submitForm } from './sign-in-form.ts'

inBrowser('A page in a browser', (scene) => {
  it('of the console leads on from /, in light and in dark, and does nothing unnoticed', async () => {
    const { page, faults } = await openPage(scene.browser, `${scene.service.url}/`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    assert.equal(page.url(), `${scene.service.url}/console`)
    const ground = () => page.evaluate('getComputedStyle(document.querySelector("a")).color')
    await page.emulateMedia({ colorScheme: 'light' })
    const light = await ground()
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.notEqual(await ground(), light)
    assert.deepEqual(faults, [])

    await page.goto(`${scene.service.url}/api-docs#createFirstAdmin`)
    await page.locator('#createFirstAdmin[open]').waitFor()
    assert.deepEqual(faults, [])
    await page.evaluate("fetch('https://example.com/').catch(() => null)")
    await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">inline</p>')")
    const failed = page.waitForEvent('requestfailed')
    await page.evaluate("void (location.href = 'http://example.com/')")
    await failed
    assert.match(faults.join('\n'), /policy violated: connect-src by https:\/\/example.com/)
    assert.match(faults.join('\n'), /policy violated: style-src-attr by inline/)
    assert.match(faults.join('\n'), /foreign: http:\/\/example.com/)
  })
})

inBrowser('/api-docs', (scene) => {
  it('shows every operation, finds them by a word, and sends parameters and bodies with the token of its form', async () => {
    const { service, browser } = scene
    const tenant = await service.newTenant()
    const { admin } = tenant
    const made = await admin.post('/api/products', { name: 'Oak chair', price: 5 })
    const { page, faults } = await openPage(browser, `${service.url}/api-docs#updateProduct`)
    assert.equal(await page.locator('nav h3').first().innerText(), 'Authentication')
    await page.locator('.operation').first().waitFor()
    const known = operationsOf(await readOpenApi(service.anonymous)).size
    assert.equal(await page.locator('.operation').count(), known)

    await submitForm(page, { userName: 'boss', tenantId: tenant.id })
    await said(page, new RegExp(`^Signed in as boss of ${tenant.id}, until `))
    const update = page.locator('#updateProduct')
    await update.locator('input[name=id]').fill(made.body.id)
    await update.locator('input[name=If-Match]').fill(made.headers.get('etag') ?? '')
    await update.locator('textarea').fill('{"name": "Oak chair, <b>small</b>", "price": 4.5}')
    await update.getByRole('button', { name: 'Send' }).click()
    const reply = update.locator('.result .good')
    assert.match(await reply.innerText(), /^200 OK/)
    assert.match(await update.locator('.result').innerText(), /"name": "Oak chair, <b>small<\/b>"/)
    await keepsNothing(page)

    await page.locator('#filter').fill('current user')
    await page.locator('#filter').fill('createFile')
    const upload = page.locator('#createFile')
    await upload.locator('> summary').click()
    await upload.locator('input[name=name]').fill('note.txt')
    const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('oak') }
    await upload.locator('input[type=file]').setInputFiles(note)
    await upload.getByRole('button', { name: 'Send' }).click()
    await upload.locator('.result .good').filter({ hasText: /^201/ }).waitFor()
    assert.match(await upload.locator('.curl').innerText(), /--data-binary '@note\.txt'$/)
    await page.locator('#filter').fill('current user')
    const user = page.locator('#getCurrentUser')
    await user.locator('> summary').click()
    await user.getByRole('button', { name: 'Send' }).click()
    await user
      .locator('.result')
      .filter({ hasText: `"tenantId": "${tenant.id}"` })
      .waitFor()
    await form(page).getByRole('button', { name: 'Sign out' }).click()
    assert.equal(await page.locator('#token').inputValue(), '')
    await page.locator('#token').fill((await service.signIn('admin')).accessToken)
    await user.getByRole('button', { name: 'Send' }).click()
    await user.locator('.result').filter({ hasText: '"userName": "admin"' }).waitFor()

    await page.locator('#filter').fill('create prod')
    const ids = (elements: { id: string }[]) => elements.map(({ id }) => id)
    assert.deepEqual(await page.locator('.operation:visible').evaluateAll(ids), ['createProduct'])
    assert.deepEqual(faults, [])
  })
})
