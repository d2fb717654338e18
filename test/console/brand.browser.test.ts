/** The name, the logo and the colour of a tenant, in the console and before the sign-in. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Locator } from 'playwright-core'
import { brandColorsOf, contrast } from '../../src/core/brand-colors.ts'
import { openPage } from '../support/browser.ts'
import { assertFaultless, inBrowser, openConsole } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#0b6e69"/></svg>'

/** The colours that a browser has computed, and the contrast that the page states. */
async function lookOf(half: Locator, use: string): Promise<{ ground: string; ink: string; stated: string }> {
  const shown = half.locator(use === 'Buttons' ? '.brand-button' : '.brand-link')
  const [ground, ink] = await shown.evaluate((each) => {
    const { backgroundColor, color } = getComputedStyle(each)
    return [backgroundColor, color].map(
      (rgb) =>
        `#${(rgb.match(/\d+/g) ?? []).map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`,
    ) as [string, string] // one for each
  })
  const stated = await half.getByRole('listitem').filter({ hasText: use }).locator('.figures').innerText()
  return { ground, ink, stated }
}

inBrowser('The brand of a tenant', (scene) => {
  it('takes a ready colour by the keyboard, and says how each colour is used', async () => {
    const tenant = await scene.service.newTenant()
    const opened = await openConsole(scene.browser, scene.service, '/settings', { tenantId: tenant.id })
    const { page } = opened
    const typed = page.getByLabel('Brand color', { exact: true })
    const ready = page.getByRole('radiogroup', { name: 'Ready colours' }).first()
    await ready.getByRole('radio', { name: 'Iris' }).focus()
    for (const [color, key] of [
      ['#5b5bd6', ' '],
      ['#0b68b8', 'ArrowRight'],
      ['#0b6e69', 'ArrowRight'],
    ] as const) {
      await page.keyboard.press(key)
      assert.equal(await typed.inputValue(), color)
    }
    assert.ok(await ready.getByRole('radio', { name: 'Teal' }).isChecked())
    for (const color of ['#0b6e69', '#ffd400', '#0b1f4d', '#8a8a8a']) {
      await typed.fill(color)
      for (const theme of ['light', 'dark'] as const) {
        const half = page.getByRole('region', { name: theme === 'light' ? 'Light pages' : 'Dark pages' })
        const { solid, onSolid, accentText } = brandColorsOf(color)[theme]
        const button = await lookOf(half, 'Buttons')
        assert.deepEqual([button.ground, button.ink], [solid, onSolid])
        assert.equal(button.stated, `${Math.floor(contrast(onSolid, solid) * 10) / 10} to 1`)
        const link = await lookOf(half, 'Links')
        assert.equal(link.ink, accentText)
        assert.ok(Number.parseFloat(link.stated) >= 4.5, `${color}, ${theme}: ${link.stated}`)
      }
    }
    const light = page.getByRole('region', { name: 'Light pages' }).getByRole('listitem')
    await typed.fill('#ffd400')
    await light.filter({ hasText: 'Buttons' }).getByText('the colour itself, dark text').waitFor()
    await light.filter({ hasText: 'Links' }).getByText('a darker shade').waitFor()
    assert.equal(await ready.locator(':checked').count(), 0)

    // The accent goes before the main colour; what is no colour yet changes nothing.
    const accent = page.getByLabel('Brand accent color', { exact: true })
    await accent.fill('#0b1f4d')
    await light.getByText('#0b1f4d').first().waitFor()
    await accent.fill('#0b1')
    assert.ok((await light.getByText('#0b1f4d').count()) > 0)
    await accent.fill('')
    await light.getByText('#ffd400').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    assertFaultless(opened)
  })

  it('is chosen in the settings, and stands in the console and at the sign-in', async () => {
    const tenant = await scene.service.newTenant()
    const opened = await openConsole(scene.browser, scene.service, '/settings', { tenantId: tenant.id })
    const { page } = opened
    await page.getByLabel('Brand name').fill('Harbour Café')
    await page.getByLabel('Brand color').fill('#ffd400')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const menu = page.locator('.tenant-menu summary')
    await menu.getByText('Harbour Café').waitFor()
    await page.getByLabel('Choose a logo', { exact: true }).setInputFiles({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(logo),
    })
    await page.getByRole('img', { name: 'Logo on light ground' }).waitFor()
    await menu.locator('img').waitFor()
    await page.getByLabel('Choose a logo', { exact: true }).setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('some'),
    })
    await page.getByRole('alert').getByText('notes.txt is no PNG, WebP or SVG').waitFor()
    await menu.click()
    const address = (await page.locator('.tenant-menu code').innerText()).trim()
    assertFaultless(opened)

    // The ground of the button has the colour, on which white would not be readable.
    const stranger = await openPage(scene.browser, address)
    const button = stranger.page.getByRole('button', { name: 'Sign in', exact: true })
    await stranger.page.getByText('Harbour Café').waitFor()
    assert.equal(await stranger.page.getByLabel('Tenant', { exact: true }).inputValue(), tenant.id)
    await eventually('the colour', soonMs, async () =>
      /rgb\(255, 2\d\d, \d+\)/.test(await button.evaluate((each) => getComputedStyle(each).backgroundColor)),
    )
    assert.notEqual(await button.evaluate((each) => getComputedStyle(each).color), 'rgb(255, 255, 255)')
    assertFaultless(stranger)
  })
})
