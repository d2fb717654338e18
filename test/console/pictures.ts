/** `npm run console-pictures`: writes pictures of each page of the console into `docs/images`: light, dark and narrow. */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { customer } from '../../examples/invoice/customer.ts'
import { invoice } from '../../examples/invoice/invoice.ts'
import { migrated } from '../entity/migrated.ts'
import { openPage, startBrowser } from '../support/browser.ts'
import { control, openOwnConsole } from '../support/console.ts'
import { atAnyCost, startService, type TestService } from '../support/service.ts'
import { type FilledInstallation, hostPagesOf, pagesOf } from './page-addresses.ts'
import { takeApplication } from './picture-application.ts'
import { takeOverlays } from './picture-overlays.ts'
import { fillInstallation, fillTenant } from './picture-scene.ts'
import { takeStates } from './picture-states.ts'
import { ticket } from './ticket-scene.ts'

const folder = resolve(import.meta.dirname, '../../docs/images')
/** Names of pictures, given to the command: the others are not taken. */
const wanted = process.argv.slice(2)
const wide = { width: 1280, height: 800 }
const narrow = { width: 360, height: 740 }
const views = [
  { suffix: '', colorScheme: 'light', viewport: wide },
  { suffix: '-dark', colorScheme: 'dark', viewport: wide },
  { suffix: '-narrow', colorScheme: 'light', viewport: narrow },
] as const

mkdirSync(folder, { recursive: true })
const service = await startService(
  'sqlite',
  {},
  { ...atAnyCost, features: migrated([customer, invoice, ticket]) },
)
const browser = await startBrowser()
try {
  const tenant = await service.newTenant({ id: 'nordic', name: 'Nordic Timber' })
  const filled = await fillTenant(service, tenant)
  const { movingId } = await fillInstallation(service)
  await takeAll(browser, service, { ...filled, movingId })
  await takeStates(browser, service, tenant, picture)
  await takeOverlays(browser, service, tenant, picture)
  await takeApplication(browser, picture)
} finally {
  await browser.close()
  await service.stop()
}

async function takeAll(chromium: Browser, { url }: TestService, filled: FilledInstallation): Promise<void> {
  await takeComponents(chromium, url)
  const signedOut = await openPage(chromium, `${url}/console`)
  await picture(signedOut.page, 'sign-in')
  const { page } = await openOwnConsole(chromium, service, '', { tenantId: filled.tenantId })
  for (const [name, path] of Object.entries(pagesOf(filled))) {
    await page.goto(`${url}/console${path}`)
    await picture(page, name)
  }
  const host = await openOwnConsole(chromium, service, '', { tenantId: 'default', userName: 'admin' })
  for (const [name, path] of Object.entries(hostPagesOf(filled))) {
    await host.page.goto(`${url}/console${path}`)
    await picture(host.page, name)
  }
  await host.page.goto(`${url}/console/tenants/${filled.tenantId}`)
  await host.page.getByRole('button', { name: 'Move', exact: true }).click()
  await picture(host.page, 'move')
  await page.goto(`${url}/console/portal-sessions/new`)
  await control(page, 'Allowed origins').fill('https://shop.example')
  await page.getByRole('button', { name: 'Open the session' }).click()
  await page.getByRole('heading', { name: 'The session is open' }).waitFor()
  await picture(page, 'portal-session')
  const { pathname, hash } = new URL(filled.portalUrl)
  const embedded = await openPage(chromium, `${url}${pathname}${hash}`)
  await picture(embedded.page, 'embedded')
}

async function takeComponents(chromium: Browser, url: string): Promise<void> {
  const { page } = await openPage(chromium, `${url}/console/components`)
  await page.getByRole('heading', { name: 'Components' }).waitFor()
  for (const { suffix, colorScheme, viewport } of views) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    const path = join(folder, `console-components${suffix}.png`)
    await page.screenshot({ path, animations: 'disabled', fullPage: true })
  }
}

async function picture(page: Page, name: string): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name)) return
  await page.locator('main h1').first().waitFor()
  for (const { suffix, colorScheme, viewport } of views) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await page.locator('.loading, [aria-busy="true"]').first().waitFor({ state: 'detached' })
    await page.getByText('…', { exact: true }).first().waitFor({ state: 'detached' })
    await isFilled(page)
    await page.screenshot({ path: join(folder, `console-${name}${suffix}.png`), animations: 'disabled' })
  }
}

/** Figures come after the second reply, and a page within the page after its own scripts. */
async function isFilled(page: Page): Promise<void> {
  await page.getByText('waiting for values').first().waitFor({ state: 'detached' })
  const frame = page.locator('.framed iframe')
  if ((await frame.count()) === 0) return
  const content = frame.contentFrame()
  await content.getByRole('button').or(content.locator('tbody tr')).first().waitFor()
}
