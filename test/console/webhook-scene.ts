/** A service, receivers, and a browser that is signed in to the console. */
import { after, afterEach, before } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumPath, openPage, startBrowser } from '../support/browser.ts'
import type { TestTenant } from '../support/service.ts'
import { type Scene, setScene } from '../support/webhooks/delivery-scene.ts'

export interface Entered {
  tenant: TestTenant
  page: Page
  faults: string[]
}

export interface ConsoleScene {
  scene(): Scene
  /** As the administrator of a tenant that nobody else has. The answer to questions is yes. */
  enter(path: string): Promise<Entered>
  show(page: Page, path: string): Promise<unknown>
}

/** Declares what runs before and after the tests of a suite. */
export function useConsole(): ConsoleScene {
  let scene: Scene
  let browser: Browser
  before(async () => {
    scene = await setScene('sqlite', { WEBHOOK_TIMEOUT_MS: '1000' })
    browser = await startBrowser(chromiumPath ?? '')
  })
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
  })
  after(async () => {
    await browser.close()
    await scene[Symbol.asyncDispose]()
  })
  const show = (page: Page, path: string) => page.goto(`${scene.service.url}/console${path}`)
  return {
    scene: () => scene,
    show,
    enter: async (path) => {
      const tenant = await scene.service.newTenant()
      const { refreshToken } = await scene.service.signIn('boss', tenant.id)
      const { page, faults } = await openPage(browser, `${scene.service.url}/health`)
      page.on('dialog', (dialog) => void dialog.accept())
      await page.evaluate(`localStorage.setItem('tenantry.refreshToken', '${refreshToken}')`)
      await show(page, path)
      return { tenant, page, faults }
    },
  }
}
