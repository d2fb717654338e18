/** A row that cannot be restored is deleted after a question that says what refers to it, and that takes its name. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { entity, reference, text } from '../../src/index.ts'
import { migrated } from '../entity/migrated.ts'
import { agree, assertFaultless, inBrowser, openConsole } from '../support/console.ts'

const shelf = entity('shelf', { plural: 'shelves', fields: { name: text() } })
const folder = entity('folder', { fields: { name: text(), shelf: reference(shelf) } })

inBrowser(
  'A row without a trash',
  (scene) => {
    it('is deleted once its name is typed, and not while others refer to it', async () => {
      const tenant = await scene.service.newTenant()
      const { id: shelfId } = (await tenant.admin.post('/api/shelves', { name: 'Upper shelf' })).body
      const { id } = (await tenant.admin.post('/api/folders', { name: 'Taxes', shelfId })).body
      const remove = async (path: string, name: string) => {
        const opened = await openConsole(scene.browser, scene.service, path, { tenantId: tenant.id })
        const { page } = opened
        await page.locator('summary').filter({ hasText: 'More actions' }).click()
        await page.getByRole('button', { name: 'Delete' }).click()
        const question = page.getByRole('alertdialog')
        const verb = question.getByRole('button', { name: 'Delete' })
        await question.getByLabel('to confirm').fill('something else')
        assert.equal(await verb.isDisabled(), true)
        await question.getByLabel('to confirm').fill(name)
        return opened
      }
      const first = await remove(`/entities/shelf/${shelfId}`, 'Upper shelf')
      await first.page.getByText('These refer to it: 1 folder.').waitFor()
      assert.equal(await agree(first.page), 'Delete Upper shelf? This cannot be undone.')
      await first.page.getByText('The shelf is in use and cannot be deleted.').waitFor()
      assertFaultless(first, 400)

      const second = await remove(`/entities/folder/${id}`, 'Taxes')
      await agree(second.page)
      await second.page.getByText('There are no folders yet.').waitFor()
      await second.page.getByText('Taxes is deleted.').waitFor()
      assert.equal((await tenant.admin.get(`/api/folders/${id}`)).status, 404)
      assertFaultless(second)
    })
  },
  { options: { features: migrated([shelf, folder]) } },
)
