/** The console in Chromium: pages that are signed in, their controls, and the faults that no page may have. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { customer } from '../../examples/invoice/customer.ts'
import { invoice } from '../../examples/invoice/invoice.ts'
import type { ServiceOptions } from '../../src/service/service-options.ts'
import { migrated } from '../entity/migrated.ts'
import { chromiumPath, openPage, startBrowser, type WatchedPage } from './browser.ts'
import { type DatabaseName, onEachDatabase } from './databases.ts'
import { startService, type TestService } from './service.ts'

const noBrowser = 'there is no Chromium; CHROMIUM_PATH says where another one is'

interface Scene {
  service: TestService
  browser: Browser
}

interface SceneOptions extends ServiceOptions {
  databases?: readonly DatabaseName[]
}

/**
 * A page cannot tell which database answers: `npm run console-tests` tries all of them on both, and `npm test` those
 * whose course depends on it.
 */
const usualDatabases: readonly DatabaseName[] =
  process.env['TEST_CONSOLE_ON_BOTH'] === undefined ? ['sqlite'] : ['sqlite', 'postgres']

/**
 * Declares the tests of `suite` for the databases, with Chromium and with the service of an application whose entities
 * the console does not know in advance.
 * @param suite gets both; they are there when its tests run
 */
export function inBrowser(title: string, suite: (scene: Scene) => void, options: SceneOptions = {}): void {
  const { databases = usualDatabases, ...rest } = options
  describe(title, { skip: chromiumPath === null && noBrowser }, () =>
    onEachDatabase('The console', (database) => {
      if (!databases.includes(database)) return
      const scene = {} as Scene // complete before the first test
      before(async () => {
        scene.service = await startService(database, {}, { features: migrated([customer, invoice]), ...rest })
        scene.browser = await startBrowser(chromiumPath ?? '')
      })
      after(async () => {
        await scene.browser.close()
        await scene.service.stop()
      })
      suite(scene)
    }),
  )
}

interface ConsoleUser {
  tenantId: string
  userName?: string
}

/** @param path below `/console` @returns a page of a browser without other pages, signed in */
export async function openConsole(
  browser: Browser,
  service: TestService,
  path: string,
  { tenantId, userName = 'boss', ...options }: ConsoleUser & BrowserContextOptions,
): Promise<WatchedPage> {
  const { refreshToken } = await service.signIn(userName, tenantId)
  const localStorage = [{ name: 'tenantry.refreshToken', value: refreshToken }]
  const storageState = { cookies: [], origins: [{ origin: service.url, localStorage }] }
  const opened = await openPage(browser, `${service.url}/console${path}`, { storageState, ...options })
  opened.page.on('dialog', (dialog) => void dialog.accept())
  return opened
}

/** The control with this label, required or not. */
export function control(page: Page | Locator, label: string): Locator {
  return page.getByLabel(new RegExp(`^\\s*${label}\\s*(\\(required\\))?\\s*$`))
}

/** Chromium reports each reply that is an error. @param refused statuses that the test has caused */
export function assertFaultless({ faults }: WatchedPage, ...refused: number[]): void {
  const expected = refused.map((status) => `responded with a status of ${status}`)
  assert.deepEqual(
    faults.filter((fault) => !expected.some((status) => fault.includes(status))),
    [],
  )
}

/** The first column of a list after the boxes, of all rows that are shown. */
export async function titlesOf(page: Page): Promise<string[]> {
  await page.locator('[aria-busy="false"] tbody:not(.placeholder)').waitFor()
  return page.locator('tbody tr td:nth-child(2)').allInnerTexts()
}

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

interface Violation {
  id: string
  nodes: { target: string[]; failureSummary: string }[]
}

/** @returns a line for each violation of the rules of accessibility */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(`globalThis.axe === undefined && (() => { ${axe} })()`)
  const found: Violation[] = await page.evaluate('axe.run().then(({ violations }) => violations)')
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}
