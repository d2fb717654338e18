/** Every page of the console in the colour of a tenant, in light and in dark, on a desk and on a phone. */
import assert from 'node:assert/strict'
import { before, beforeEach, it } from 'node:test'
import type { Page } from 'playwright-core'
import { customer } from '../../examples/invoice/customer.ts'
import { invoice } from '../../examples/invoice/invoice.ts'
import { migrated } from '../entity/migrated.ts'
import { violationsOf, violationsOfLooks } from '../support/accessibility.ts'
import { openPage } from '../support/browser.ts'
import { inBrowser, openOwnConsole, show } from '../support/console.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import type { TestTenant } from '../support/service.ts'
import { hostPagesOf, pagesOf } from './page-addresses.ts'
import { type Filled, fillInstallation, fillTenant } from './picture-scene.ts'
import { takeStates } from './picture-states.ts'
import { ticket } from './ticket-scene.ts'

export const lightBrand = '#ffd400'
export const wide = { width: 1440, height: 900 }
const narrow = { width: 360, height: 780 }
const views = [wide, narrow].flatMap((viewport) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
)

/** Each page of a tenant and of operators, and what is made of a list: dialogs, layouts, a form with faults. */
export function declareBrand(brandColor: string): void {
  inBrowser(
    `The console in ${brandColor} is readable`,
    (scene) => {
      let tenant: TestTenant
      let filled: Filled
      let found: string[]
      before(async () => {
        tenant = await scene.service.newTenant({ name: 'Nordic Timber' })
        filled = await fillTenant(scene.service, tenant)
        for (const client of [tenant.admin, scene.service.host])
          assert.equal((await client.put('/api/tenant/settings', { brandColor })).status, 200)
      })
      beforeEach(() => {
        found = []
      })

      it('on every page of a tenant', async () => {
        // The reference pages are of others, and in frames: they have tests of their own.
        const { graphiql: _graphiql, ...paths } = pagesOf(filled)
        const { page } = await openOwnConsole(scene.browser, scene.service, '', { tenantId: tenant.id })
        await lookAtAll(page, paths, { brandColor, found })
        assert.deepEqual(found, [])
      })

      it('on every page of operators', async () => {
        const { movingId } = await fillInstallation(scene.service)
        const operator = { tenantId: 'default', userName: 'admin' }
        const { page } = await openOwnConsole(scene.browser, scene.service, '', operator)
        await lookAtAll(page, hostPagesOf({ ...filled, movingId }), { brandColor, found })
        assert.deepEqual(found, [])
      })

      it('in every state of a list and of a row, at the sign-in and in another page', async () => {
        const { browser, service } = scene
        await takeStates(browser, service, tenant, (page, name) => look(page, `${brandColor} ${name}`, found))
        const { pathname, hash } = new URL(filled.portalUrl)
        for (const path of [`/console?tenant=${tenant.id}`, `${pathname}${hash}`]) {
          const { page } = await openPage(browser, `${service.url}${path}`)
          await page.locator('main h1').first().waitFor()
          await look(page, `${brandColor} ${path}`, found)
        }
        assert.deepEqual(found, [])
      })
    },
    { options: { features: migrated([customer, invoice, ticket]) }, isOnOneDatabase: true },
  )
}

interface Looks {
  brandColor: string
  found: string[]
}

async function lookAtAll(page: Page, paths: Readonly<Record<string, string>>, { brandColor, found }: Looks) {
  for (const [name, path] of Object.entries(paths)) {
    await show(page, path === '' ? '/' : path)
    await page.locator('main h1').first().waitFor()
    await look(page, `${brandColor} ${name}`, found)
  }
}

/** All rules once for each width in one brand, and those of colours for the other theme and the other brands. */
function look(page: Page, what: string, found: string[]): Promise<void> {
  const rulesInLight = what.startsWith(lightBrand) ? violationsOf : violationsOfLooks
  return lookInAllViews(page, what, { found, rulesInLight })
}

interface View {
  found: string[]
  rulesInLight: (page: Page) => Promise<string[]>
}

/** In the colours of the brand, once they are known. */
export async function lookInAllViews(page: Page, what: string, { found, rulesInLight }: View): Promise<void> {
  await eventually(
    'the colour',
    soonMs,
    async () =>
      (await page.evaluate<string>("document.documentElement.style.getPropertyValue('--accent')")) !== '',
  )
  for (const { viewport, colorScheme } of views) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await page.locator('.loading, .is-loading, [aria-busy="true"]').first().waitFor({ state: 'detached' })
    const violations = await (colorScheme === 'light' ? rulesInLight : violationsOfLooks)(page)
    found.push(
      ...violations.map((violation) => `${what}, ${viewport.width} px, ${colorScheme}: ${violation}`),
    )
    const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
    if (excess > 0) found.push(`${what}, ${viewport.width} px: ${excess} px too wide`)
  }
  await page.setViewportSize(wide)
}
