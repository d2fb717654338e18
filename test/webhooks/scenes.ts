/** Scenes at one service, one after another: each test of a suite has its own tenants and receivers. */
import { after, before } from 'node:test'
import type { ServiceOptions } from '../../src/service/service-options.ts'
import type { DatabaseName } from '../support/databases.ts'
import { sharedService, startService, type TestService } from '../support/service.ts'
import { type Scene, sceneAt } from '../support/webhooks/delivery-scene.ts'

/** Declares that a suite uses the shared service. @returns what sets a scene there */
export function scenesOfShared(database: DatabaseName): () => Promise<Scene> {
  return scenesOf(() => sharedService(database))
}

/** The same with a service of the suite. */
export function scenesOfOwn(
  database: DatabaseName,
  settings: Record<string, string> = {},
  options: ServiceOptions = {},
): () => Promise<Scene> {
  return scenesOf(() => startService(database, settings, options))
}

function scenesOf(start: () => Promise<TestService>): () => Promise<Scene> {
  let service: TestService
  before(async () => {
    service = await start()
  })
  after(() => service.stop())
  return () => sceneAt(service)
}
