/** One scene for all tests of a suite, with separate tenants. */
import { after, before } from 'node:test'
import type { Client } from '../../support/client.ts'
import type { DatabaseName } from '../../support/databases.ts'
import type { TestTenant } from '../../support/service.ts'
import { type Scene, setScene } from '../../support/webhooks/delivery-scene.ts'

export interface SharedScene extends Pick<Scene, 'receiver' | 'look'> {
  newTenant(): Promise<TestTenant>
  /** Of a tenant that nobody else has. */
  newUser(): Promise<Client>
}

export function shareScene(database: DatabaseName): SharedScene {
  let scene: Scene
  before(async () => {
    scene = await setScene(database)
  })
  after(() => scene[Symbol.asyncDispose]())
  const newTenant = () => scene.service.newTenant()
  return {
    newTenant,
    newUser: async () => (await newTenant()).user,
    receiver: (answer) => scene.receiver(answer),
    look: () => scene.look(),
  }
}
