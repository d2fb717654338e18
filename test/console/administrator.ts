/** A browser in which somebody has signed in to the console. */
import type { Browser } from 'playwright-core'
import { openPage, type WatchedPage } from '../support/browser.ts'
import type { TestService } from '../support/service.ts'

/** Every question of the page is answered with yes. */
export async function openConsoleAs(
  service: TestService,
  browser: Browser,
  user: { name: string; tenant: string },
  path: string,
): Promise<WatchedPage> {
  const { refreshToken } = await service.signIn(user.name, user.tenant)
  const stored = [{ name: 'tenantry.refreshToken', value: refreshToken }]
  const watched = await openPage(browser, `${service.url}/console${path}`, {
    storageState: { cookies: [], origins: [{ origin: new URL(service.url).origin, localStorage: stored }] },
  })
  watched.page.on('dialog', (dialog) => dialog.accept())
  return watched
}

export async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()))
}
