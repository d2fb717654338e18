/** The console in Chromium: pages that are signed in, their controls, and the faults that no page may have. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe } from 'node:test'
import type { Browser, BrowserContextOptions, FrameLocator, Locator, Page } from 'playwright-core'
import { customer } from '../../examples/invoice/customer.ts'
import { invoice } from '../../examples/invoice/invoice.ts'
import type { ServiceOptions } from '../../src/service/service-options.ts'
import { CollectedMails } from '../../src/testing/collected-mails.ts'
import { migrated } from '../entity/migrated.ts'
import {
  closePages,
  keepContext,
  openPage,
  releaseBrowser,
  sharedBrowser,
  type WatchedPage,
} from './browser.ts'
import { TestClock } from './clock.ts'
import type { DatabaseName } from './databases.ts'
import { freePort } from './free-port.ts'
import { startNameServer } from './name-server.ts'
import { triesAll } from './run/extent.ts'
import { SharedResources } from './run/shared-resources.ts'
import { atAnyCost, callersAt, startService, type TestService } from './service.ts'

export interface Scene {
  service: TestService
  /** Of the service. */
  clock: TestClock
  /** Sent by the service. */
  mails: CollectedMails
  /** What the service reads in the domain name system: texts by their names. */
  records: Map<string, string[]>
  browser: Browser
}

/** Of a service that is not shared with other files. */
interface OwnService {
  options: ServiceOptions
  /** Where only the looks of pages are tried, many of them. */
  isOnOneDatabase?: true
}

/** Shared by the files that advance their clock: what others sign with the time would be refused. */
interface AheadService {
  isAhead: true
}

interface ServiceScene extends Omit<Scene, 'browser'> {
  stop(): Promise<void>
}

const shared = new SharedResources((key: `${DatabaseName}${'' | ', ahead'}`) =>
  startScene(key.startsWith('sqlite') ? 'sqlite' : 'postgres'),
)

/**
 * Declares the tests of `suite` with Chromium, and with the service of an application whose entities the console does not
 * know in advance. A page cannot tell which database answers: `npm run test:all` tries both.
 * @param suite gets both; they are there when its tests run
 * @param other a service of this file alone, for tests that look at the whole of it, or one whose clock is advanced
 */
export function inBrowser(
  title: string,
  suite: (scene: Scene) => void,
  other?: OwnService | AheadService,
): void {
  const isOnOne = other !== undefined && 'isOnOneDatabase' in other
  const databases: readonly DatabaseName[] = triesAll && !isOnOne ? ['sqlite', 'postgres'] : ['sqlite']
  for (const database of databases) {
    describe(`${title} on ${database}`, () => {
      const scene = {} as Scene & ServiceScene // complete before the first test
      const own = other !== undefined && 'options' in other ? other.options : undefined
      const key = other !== undefined && 'isAhead' in other ? (`${database}, ahead` as const) : database
      before(async () => {
        Object.assign(scene, await (own === undefined ? shared.acquire(key) : startScene(database, own)))
        scene.service = await signedInAnew(scene.service)
        scene.browser = await sharedBrowser()
      })
      afterEach(() => closePages(scene.browser))
      after(async () => {
        if (own === undefined) await shared.release(key)
        else await leaveConsole(scene.browser).then(scene.stop)
        await releaseBrowser(scene.browser)
      })
      suite(scene)
    })
  }
}

/** Passkeys belong to the name `localhost`. Receivers that never answer are given up soon. */
async function startScene(database: DatabaseName, options: ServiceOptions = {}): Promise<ServiceScene> {
  const clock = new TestClock()
  const mails = new CollectedMails()
  const records = new Map<string, string[]>()
  const names = await startNameServer(({ name }) => records.get(name) ?? 'missing')
  const port = String(await freePort())
  const url = `http://localhost:${port}`
  const service = await startService(
    database,
    { PORT: port, BASE_URL: url, SIGN_UP: 'approval', WEBHOOK_TIMEOUT_MS: '1000' },
    {
      ...atAnyCost,
      clock: clock.now,
      mailTransport: mails,
      receivers: { nameServers: [names.address] },
      strictRequests: 10_000,
      features: migrated([customer, invoice]),
      ...options,
    },
  )
  const stop = async () => {
    await service.stop()
    names.close()
  }
  return { service: { ...service, url }, clock, mails, records, stop }
}

/** The clock may have been advanced since the host signed in. */
async function signedInAnew(service: TestService): Promise<TestService> {
  const { client: host } = await service.signIn('admin')
  return { ...service, ...callersAt(service.anonymous, host) }
}

interface ConsoleUser {
  tenantId: string
  userName?: string
}

/** A page that is signed in anew costs a quarter of one in a context of its own. */
const pages = new WeakMap<Browser, Promise<WatchedPage>>()

/**
 * The page that the tests of a process share, signed in. Its browser asks nothing when it is left.
 * @param path below `/console`
 */
export async function openConsole(
  browser: Browser,
  service: TestService,
  path: string,
  { tenantId, userName = 'boss' }: ConsoleUser,
): Promise<WatchedPage> {
  const { refreshToken } = await service.signIn(userName, tenantId)
  return openWith(browser, `${service.url}/console${path}`, storedSession(refreshToken))
}

/** As the console keeps the only session of a browser. */
function storedSession(refreshToken: string): Record<string, string> {
  return { 'tenantry.session': '1', 'tenantry.session.1': JSON.stringify({ refreshToken }) }
}

/** The same page without a session. */
export function openSignedOut(browser: Browser, service: TestService, path: string): Promise<WatchedPage> {
  return openWith(browser, `${service.url}/console${path}`, {})
}

async function openWith(browser: Browser, url: string, stored: Record<string, string>): Promise<WatchedPage> {
  const opened = await pageOf(browser, new URL(url).origin)
  const { page, faults } = opened
  await page.emulateMedia({ colorScheme: null, forcedColors: null }) // as a test that failed may have left them
  await page.evaluate(`
    localStorage.clear()
    sessionStorage.clear()
    Object.assign(localStorage, ${JSON.stringify(stored)})
  `)
  await page.goto(url)
  faults.length = 0
  return opened
}

/** @returns it at an address of the service, where no script runs */
async function pageOf(browser: Browser, origin: string): Promise<WatchedPage> {
  const neutral = `${origin}/health/live`
  const earlier = await pages.get(browser)
  if (earlier !== undefined) {
    earlier.host = new URL(origin).host
    if (new URL(earlier.page.url()).origin !== origin) await earlier.page.goto(neutral)
    return earlier
  }
  const opening = openPage(browser, neutral)
  pages.set(browser, opening)
  const opened = await opening
  keepContext(opened.page.context())
  opened.page.on('dialog', (dialog) => void dialog.accept())
  return opened
}

/** A page whose service ends would ask for it every few seconds. */
async function leaveConsole(browser: Browser): Promise<void> {
  const opened = await pages.get(browser)
  await opened?.page.goto('about:blank')
}

/** @returns a page in a context of its own, signed in */
export async function openOwnConsole(
  browser: Browser,
  service: TestService,
  path: string,
  { tenantId, userName = 'boss', ...options }: ConsoleUser & BrowserContextOptions,
): Promise<WatchedPage> {
  const { refreshToken } = await service.signIn(userName, tenantId)
  const localStorage = Object.entries(storedSession(refreshToken)).map(([name, value]) => ({ name, value }))
  const storageState = { cookies: [], origins: [{ origin: service.url, localStorage }] }
  const opened = await openPage(browser, `${service.url}/console${path}`, { storageState, ...options })
  opened.page.on('dialog', (dialog) => void dialog.accept())
  return opened
}

/** Answers the question of the page with yes. @returns what it asks */
export async function agree(page: Page | Locator | FrameLocator): Promise<string> {
  const question = page.getByRole('alertdialog')
  const asked = await question.getByRole('heading').innerText()
  await question.getByRole('button').last().click()
  return asked
}

/** Follows a link to the page at `path` below `/console`: it is shown without being loaded anew. */
export async function show(page: Page, path: string): Promise<void> {
  await page.evaluate(`
    history.pushState(null, '', ${JSON.stringify(`/console${path}`)})
    dispatchEvent(new PopStateEvent('popstate'))
  `)
}

/** The control with this label, required, optional or neither. */
export function control(page: Page | Locator, label: string): Locator {
  return page.getByLabel(new RegExp(`^\\s*${label}\\s*(optional)?\\s*$`))
}

/** Opens a filter of a built-in list, which is a chip with its label. */
export async function openFilter(page: Page, label: string): Promise<void> {
  await page.locator('.filter summary').filter({ hasText: label }).click()
}

/** Chromium reports each reply that is an error. @param refused statuses that the test has caused */
export function assertFaultless({ faults }: WatchedPage, ...refused: number[]): void {
  const expected = refused.map((status) => `responded with a status of ${status}`)
  assert.deepEqual(
    faults.filter((fault) => !expected.some((status) => fault.includes(status))),
    [],
  )
}

/** The first column of a list after the boxes, of all rows that are shown, without the badges beside a title. */
export async function titlesOf(page: Page): Promise<string[]> {
  await page.locator('[aria-busy="false"] tbody:not(.placeholder)').waitFor()
  return page.locator('tbody tr').locator('td:nth-child(2):not(.row-title), .row-title > a').allInnerTexts()
}
