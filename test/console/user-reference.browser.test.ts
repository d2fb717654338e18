/** A user that a row names has its name, and is chosen by it, where the caller sees users. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { entity, text, user } from '../../src/index.ts'
import { migrated } from '../entity/migrated.ts'
import { assertFaultless, control, inBrowser, openConsole } from '../support/console.ts'
import { person, type TestTenant } from '../support/service.ts'

const errand = entity('errand', { fields: { title: text(), runner: user().optional() } })

inBrowser(
  'References to users',
  (scene) => {
    let tenant: TestTenant
    let path: string
    let ada: string
    before(async () => {
      tenant = await scene.service.newTenant()
      ada = (await tenant.admin.post('/api/users', person('ada'))).body.id
      const { body } = await tenant.admin.post('/api/errands', { title: 'milk', runnerId: ada })
      path = `/entities/errand/${body.id}`
    })
    const open = (userName: string) =>
      openConsole(scene.browser, scene.service, path, { tenantId: tenant.id, userName })

    it('have their names, and are chosen by name', async () => {
      const opened = await open('boss')
      const { page } = opened
      await page.getByRole('link', { name: 'ada' }).waitFor()
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.waitForFunction(() =>
        [...document.querySelectorAll('input')].some(({ value }) => value === 'ada'),
      )
      await control(page, 'Runner').fill('work')
      await page.getByRole('option', { name: 'worker' }).click()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('link', { name: 'worker' }).waitFor()
      assertFaultless(opened)
      await tenant.admin.patch(`/api/errands/${path.split('/').at(-1)}`, { runnerId: ada })
    })

    it('are chosen by an address that is typed as a whole', async () => {
      const opened = await open('boss')
      const { page } = opened
      await page.getByRole('button', { name: 'Edit' }).click()
      await control(page, 'Runner').fill('worker@example.com')
      await page.keyboard.press('Tab')
      await page.waitForFunction(() =>
        [...document.querySelectorAll('input')].some(({ value }) => value === 'worker'),
      )
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('link', { name: 'worker' }).waitFor()
      assertFaultless(opened)
      await tenant.admin.patch(`/api/errands/${path.split('/').at(-1)}`, { runnerId: ada })
    })

    it('are filtered by the caller', async () => {
      const me = (await tenant.admin.get('/api/auth/me')).body.id
      await tenant.admin.post('/api/errands', { title: 'bread', runnerId: me })
      const opened = await open('boss')
      const { page } = opened
      await page.goto(`${scene.service.url}/console/entities/errand`)
      await page.getByText('milk').waitFor()
      await page.getByRole('button', { name: 'Filter' }).click()
      await page.getByLabel('Field', { exact: true }).selectOption('runnerId')
      await control(page, 'Value').click()
      await page.getByRole('option', { name: 'me', exact: true }).click()
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('button', { name: 'Runner is me', exact: true }).waitFor()
      await page.getByText('milk').waitFor({ state: 'detached' })
      assert.equal(new URL(page.url()).searchParams.get('runnerId'), 'me')
      assert.equal(await page.getByText('bread').count(), 1)
      assertFaultless(opened)
    })

    it('are ids for whoever sees no users', async () => {
      const opened = await open('worker')
      await opened.page.getByText(ada).first().waitFor()
      assert.equal(await opened.page.getByRole('link', { name: 'ada' }).count(), 0)
      assertFaultless(opened)
    })
  },
  { options: { features: migrated([errand]) } },
)
