/** Receivers, and the console of the administrator of a tenant that nobody else has. */
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { openConsole, type Scene } from '../support/console.ts'
import type { TestTenant } from '../support/service.ts'
import { answering } from '../support/webhooks/delivery-scene.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'

export interface Entered {
  tenant: TestTenant
  page: Page
  faults: string[]
}

export interface WebhookScene {
  /** Ended with the suite. @param answer 200 if absent */
  receiver(answer?: Parameters<typeof startReceiver>[0]): Promise<Receiver>
  /** Waits until everything that is due has been sent and recorded. */
  look(): Promise<void>
  enter(path: string): Promise<Entered>
}

/** Declares what runs after the tests of a suite. */
export function useWebhooks(scene: Scene): WebhookScene {
  const receivers: Receiver[] = []
  after(async () => {
    for (const receiver of receivers) await receiver.close()
  })
  return {
    receiver: async (answer = answering(200, {}, 'ok')) => {
      const receiver = await startReceiver(answer)
      receivers.push(receiver)
      return receiver
    },
    look: () => scene.service.service.queueWorkers.drain(),
    enter: async (path) => {
      const tenant = await scene.service.newTenant()
      const { page, faults } = await openConsole(scene.browser, scene.service, path, { tenantId: tenant.id })
      return { tenant, page, faults }
    },
  }
}
