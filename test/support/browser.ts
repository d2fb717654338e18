/** A real browser whose pages can reach nothing but this machine. */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { findChromium } from './run/chromium.ts'
import { SharedResources } from './run/shared-resources.ts'

export interface WatchedPage {
  page: Page
  /** Whom the page may ask. */
  host: string
  /** Violated policies, errors in the console, uncaught exceptions, and requests to anywhere else. */
  faults: string[]
}

const shared = new SharedResources(async (_key: 'browser') => {
  const browser = await startBrowser()
  return { browser, stop: () => browser.close() }
})

/** The browser of the test files of a process, to be released by each of them. */
export async function sharedBrowser(): Promise<Browser> {
  return (await shared.acquire('browser')).browser
}

/** Closes the pages of a test file, but for what is kept for the next one. */
export async function releaseBrowser(browser: Browser): Promise<void> {
  await closePages(browser)
  await shared.release('browser')
}

const kept = new WeakSet<BrowserContext>()

/** From now on `closePages` leaves the context open. */
export function keepContext(context: BrowserContext): void {
  kept.add(context)
}

export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => (kept.has(context) ? undefined : context.close())))
}

/** @throws Error where there is no Chromium */
export async function startBrowser(): Promise<Browser> {
  const found = await findChromium()
  if (found === null) throw new Error('There is no Chromium; CHROMIUM_PATH says where another one is.')
  return chromium.launch({
    executablePath: found.path,
    env: { ...process.env, ...found.environment },
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-software-rasterizer',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A page of a test is left before compiling its code again, optimized, is paid back: a tenth of the processor time.
      '--js-flags=--single-threaded-gc --no-opt --no-maglev',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
}

/** @param url of a page of the service; what moves is where it will be at once */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const watched = watch(await context.newPage(), new URL(url).host)
  await watched.page.addInitScript(`
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error('policy violated: ' + violatedDirective + ' by ' + blockedURI))
  `)
  await watched.page.goto(url)
  return watched
}

/** The handlers of requests would keep the browser from its cache, so they are noted as they leave. */
function watch(page: Page, host: string): WatchedPage {
  const watched: WatchedPage = { page, host, faults: [] }
  const note = (fault: string) => watched.faults.push(fault)
  page.on('console', (message) => {
    if (message.type() === 'error') note(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => note(`exception: ${error.message}`))
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== watched.host) note(`socket: ${socket.url()}`)
  })
  page.on('request', (request) => {
    const { protocol, host: asked } = new URL(request.url())
    if (/^https?:$/.test(protocol) && asked !== watched.host) note(`foreign: ${request.url()}`)
  })
  return watched
}
