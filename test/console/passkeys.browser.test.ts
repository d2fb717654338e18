/** Passkeys of the signed-in user on the account page of the console, with an authenticator of Chromium. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { giveLogin } from '../support/authenticator-app.ts'
import { agree, assertFaultless, control, inBrowser, openOwnConsole } from '../support/console.ts'
import { password } from '../support/service.ts'
import { addAuthenticator } from '../support/virtual-authenticator.ts'

inBrowser(
  'Passkeys in the console',
  (scene) => {
    it('are added after the user has proven again who it is, renamed, and removed', async () => {
      const { service, browser, clock } = scene
      const { id: tenantId, user } = await service.newTenant()
      const opened = await openOwnConsole(browser, service, '/account', { userName: 'worker', tenantId })
      const { page } = opened
      await addAuthenticator(page)
      // As with some password managers.
      await page.evaluate('PublicKeyCredential.prototype.toJSON = () => { throw new TypeError() }')
      const dialog = page.getByRole('dialog')
      const add = async (name: string) => {
        await page.getByRole('button', { name: 'Add a passkey' }).click()
        await control(page, 'Name of the passkey').fill(name)
        await dialog.getByRole('button', { name: 'Add a passkey' }).click()
      }
      await page.getByText('A passkey signs you in').waitFor()
      await page.getByText('You sign in with your password alone.').waitFor()
      clock.advance({ minutes: 11 })
      await add('My laptop')
      await page.getByLabel('Your password').fill(password)
      // The field of this dialog, which is a tree of its own, and no other one.
      assert.equal(await dialog.getByLabel('Your password').inputValue(), password)
      assert.equal(await page.evaluate(repeatedIds), 0)
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByRole('cell', { name: 'My laptop' }).waitFor()
      const codes = await page.getByRole('status').locator('pre').innerText()
      assert.equal(codes.split('\n').length, 10)
      await page.getByText('You sign in with a passkey').waitFor()
      const login = await giveLogin(service, { userName: 'worker', tenantId })
      assert.deepEqual([login.status, login.headers.get('x-mfa-methods')?.includes('passkey')], [401, true])

      await add('The same device')
      await dialog.getByRole('alert').getByText('has a passkey of yours already').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()

      await page.getByRole('button', { name: 'Rename' }).click()
      await control(page, 'Name of the passkey').fill('Work laptop')
      await dialog.getByRole('button', { name: 'Rename' }).click()
      await page.getByRole('cell', { name: 'Work laptop' }).waitFor()
      assert.deepEqual(
        (await user.get('/api/auth/passkeys')).body.map(({ name }: { name: string }) => name),
        ['Work laptop'],
      )

      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await agree(page)
      await page.getByText('A passkey signs you in').waitFor()
      await page.getByText('You sign in with your password alone.').waitFor()
      assert.deepEqual((await user.get('/api/auth/passkeys')).body, [])
      assertFaultless(opened, 403)
    })
  },
  { isAhead: true },
)

const repeatedIds = `
  ((ids) => ids.length - new Set(ids).size)([...document.querySelectorAll('[id]')].map(({ id }) => id))
`
