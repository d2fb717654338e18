/** One scene at the shared service for all tests of a suite, with separate tenants. */
import { after, before } from 'node:test'
import type { Client } from '../../support/client.ts'
import type { DatabaseName } from '../../support/databases.ts'
import { sharedService, type TestService, type TestTenant } from '../../support/service.ts'
import { type Scene, sceneAt } from '../../support/webhooks/delivery-scene.ts'

export interface SharedScene extends Pick<Scene, 'receiver' | 'look'> {
  newTenant(): Promise<TestTenant>
  /** The only one of a tenant. */
  newUser(): Promise<Client>
}

export function shareScene(database: DatabaseName): SharedScene {
  let service: TestService
  let scene: Scene
  before(async () => {
    service = await sharedService(database)
    scene = await sceneAt(service)
  })
  after(async () => {
    await scene[Symbol.asyncDispose]()
    await service.stop()
  })
  const newTenant = () => scene.service.newTenant()
  return {
    newTenant,
    newUser: () => scene.newAdmin(),
    receiver: (answer) => scene.receiver(answer),
    look: () => scene.look(),
  }
}
