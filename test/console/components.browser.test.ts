/** `/console/components`, in development: every component in all its states. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Page } from 'playwright-core'
import { violationsOf, violationsOfLooks } from '../support/accessibility.ts'
import { agree, assertFaultless, inBrowser, openSignedOut } from '../support/console.ts'

const wide = { width: 1440, height: 900 }
const narrow = { width: 360, height: 740 }

inBrowser('The page of components', (scene) => {
  const open = async () => {
    const opened = await openSignedOut(scene.browser, scene.service, '/components')
    await opened.page.getByRole('heading', { name: 'Components' }).waitFor()
    await specimen(opened.page, 'Buttons', 'error').getByRole('alert').waitFor()
    return opened
  }

  it('can be read by everybody in every state, in light and in dark, and fits on a phone', async () => {
    const opened = await open()
    const { page } = opened
    const found: string[] = []
    for (const viewport of [wide, narrow]) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const isFirst = viewport === wide && colorScheme === 'light'
        found.push(...(await (isFirst ? violationsOf(page) : violationsOfLooks(page))))
      }
      const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
      assert.ok(excess <= 0, `${excess} px too wide at ${viewport.width} px`)
    }
    await page.emulateMedia({ colorScheme: null })
    await page.setViewportSize(wide)
    assert.deepEqual(found, [])
    assertFaultless(opened)
  })

  it('shows each state that a pointer or a key gives as another look', async () => {
    const { page } = await open()
    const looks = new Set<string>()
    for (const state of ['usual', 'hover', 'focus'])
      looks.add(await lookOf(specimen(page, 'Buttons', state).getByRole('button', { name: 'Save' })))
    const edit = (state: string) => specimen(page, 'Buttons', state).getByRole('button', { name: 'Edit' })
    const ofEdit = new Set<string>()
    for (const state of ['usual', 'hover', 'pressed', 'focus']) ofEdit.add(await lookOf(edit(state)))
    assert.deepEqual([looks.size, ofEdit.size], [3, 4])
    assert.equal(await specimen(page, 'Buttons', 'loading').getByRole('button').isDisabled(), true)
    assert.equal(await specimen(page, 'Fields', 'disabled').getByRole('textbox').isDisabled(), true)
    assert.equal(
      await specimen(page, 'Tables', 'loading').getByRole('region').getAttribute('aria-busy'),
      'true',
    )
  })

  it('opens its dialogs and toasts', async () => {
    const opened = await open()
    const { page } = opened
    await page.getByRole('button', { name: 'Toast', exact: true }).click()
    await page.getByRole('button', { name: 'Toast of an error' }).click()
    await page.getByRole('button', { name: 'Conflict' }).click()
    const conflict = page.getByRole('dialog')
    await conflict.waitFor()
    assert.deepEqual(await violationsOf(page), [])
    await page.keyboard.press('Escape')
    await conflict.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete 2 tickets?' }).click()
    await agree(page)
    assertFaultless(opened)
  })
})

function specimen(page: Page, section: string, name: string) {
  return page.getByRole('region', { name: section, exact: true }).locator(`[data-specimen="${name}"]`)
}

/** What a state changes of a control. */
function lookOf(control: ReturnType<Page['locator']>): Promise<string> {
  return control.evaluate((element) => {
    const { backgroundColor, borderColor, outline } = getComputedStyle(element as unknown as Element)
    return [backgroundColor, borderColor, outline].join()
  })
}
