/** No page breaks a rule of accessibility, in light, in dark and on a narrow screen. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { Page } from 'playwright-core'
import { openPage } from '../support/browser.ts'
import { assertFaultless, control, inBrowser, openConsole, violationsOf } from '../support/console.ts'
import type { TestTenant } from '../support/service.ts'

/** Both themes, and both layouts. */
const views = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

inBrowser(
  'A page of the console',
  (scene) => {
    let tenant: TestTenant
    let invoiceId: string
    before(async () => {
      tenant = await scene.service.newTenant()
      const { id: categoryId } = (await tenant.admin.post('/api/categories', { name: 'Desks' })).body
      await tenant.admin.post('/api/products', { name: 'Oak desk', price: 10, categoryId })
      const { id: customerId } = (await tenant.admin.post('/api/customers', { name: 'Nordic Timber' })).body
      const lines = [{ text: 'Desk', quantity: 2, price: 49.9 }]
      await tenant.admin.post('/api/tenant/sso/domains', { domain: 'acme.example' })
      invoiceId = (await tenant.admin.post('/api/invoices', { customerId, lines })).body.id
    })

    /** Whatever is shown is within the screen, and names itself. */
    const look = async (page: Page, what: string, found: string[]) => {
      for (const { colorScheme, viewport } of views) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(viewport)
        const name = `${what}, ${colorScheme}, ${viewport.width} px`
        const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        if (Number(excess) > 0) found.push(`${name}: ${excess} px too wide`)
        found.push(...(await violationsOf(page)).map((violation) => `${name}: ${violation}`))
      }
    }

    it('can be read and used by everybody', async () => {
      const { service, browser } = scene
      const found: string[] = []
      const still = { reducedMotion: 'reduce' } as const // colours are not on their way to others
      const signedOut = await openPage(browser, `${service.url}/console`, still)
      await signedOut.page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await look(signedOut.page, 'sign-in', found)
      await signedOut.page.close()

      const opened = await openConsole(browser, service, '', { tenantId: tenant.id, ...still })
      const { page } = opened
      const visit = async (path: string, ready: () => Promise<unknown>) => {
        await page.goto(`${service.url}/console${path}`)
        await ready()
        await look(page, path, found)
      }
      const heading = (name: string | RegExp) => () => page.getByRole('heading', { name }).first().waitFor()
      await visit('', heading('Welcome, Ada'))
      await visit('/entities/product', () => page.getByRole('link', { name: 'Desks' }).waitFor())
      await visit('/entities/product?name[icontains]=chair', () =>
        page.getByText('No products match').waitFor(),
      )
      await visit('/entities/order', () => page.getByText('There are no orders yet.').waitFor())
      await visit(`/entities/invoice/${invoiceId}`, heading(/^Invoice/))
      await visit('/entities/invoice/new', heading('New invoice'))
      await visit('/entities/product/import', heading('Import products'))
      await visit('/developers', heading('Developers'))
      await visit('/account', heading('Passkeys'))
      await visit('/portal-sessions', () => page.getByText('No session is open.').waitFor())
      await visit('/portal-sessions/new', async () => {
        await page.getByRole('checkbox', { name: 'It may also change' }).check()
        await page.getByRole('checkbox', { name: 'order.paid' }).waitFor()
      })
      await visit('/single-sign-on', async () => {
        await page.getByRole('cell', { name: 'acme.example', exact: true }).waitFor()
        await page.getByRole('button', { name: 'Add a group' }).click()
        await page.getByRole('group', { name: 'Roles of the group' }).waitFor()
      })
      await visit('/entities/invoice/nothing', () => page.getByRole('alert').waitFor())
      await visit('/nowhere', () => page.getByRole('alert').waitFor())
      await visit('/entities/product/new', async () => {
        await page.getByRole('button', { name: 'Create' }).click()
        await page.getByRole('alert').waitFor()
        await control(page, 'Category').focus()
        await page.getByRole('option', { name: 'Desks' }).waitFor()
      })
      await visit('/entities/product?sort=name', async () => {
        await page.getByText('More', { exact: true }).click()
        await page.getByRole('link', { name: 'Import' }).waitFor()
      })
      await visit('/entities/product', async () => {
        await page.getByRole('button', { name: 'Add a filter' }).click()
        await page.getByRole('dialog').waitFor()
      })
      await page.close()

      const host = { tenantId: 'default', userName: 'admin', ...still }
      const hostConsole = await openConsole(browser, service, '/sign-ups', host)
      await hostConsole.page.getByText('No sign-up waits for approval.').waitFor()
      await look(hostConsole.page, '/sign-ups', found)
      assert.deepEqual(found, [])
      assertFaultless(opened, 400, 404)
      assertFaultless(hostConsole)
      await hostConsole.page.close()
    })
  },
  { databases: ['sqlite'] },
)
