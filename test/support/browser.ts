/** A real browser whose pages can reach nothing but the service. */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Where Chromium is, or `null`. */
export const chromiumPath = findChromium()

export interface WatchedPage {
  page: Page
  /** Violated policies, errors in the console, uncaught exceptions, and requests to anywhere else. */
  faults: string[]
}

export function startBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** @param url of a page of the service */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const { origin, host } = new URL(url)
  const faults: string[] = []
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`))
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== host) faults.push(`socket: ${socket.url()}`)
  })
  await page.addInitScript(`
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error('policy violated: ' + violatedDirective + ' by ' + blockedURI))
  `)
  await page.route('**/*', (route) => {
    const asked = route.request().url()
    if (asked.startsWith(`${origin}/`) || asked.startsWith('data:')) return route.continue()
    faults.push(`foreign: ${asked}`)
    return route.abort()
  })
  await page.goto(url)
  return { page, faults }
}

function findChromium(): string | null {
  const given = process.env['CHROMIUM_PATH']
  if (given !== undefined) return given
  return (
    [
      '/usr/bin/chromium-headless-shell', // half the processor time of the others, which draw for a screen
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
    ].find(existsSync) ?? null
  )
}
