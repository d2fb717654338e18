/** Another instance of the service on the PostgreSQL database of the first, as behind a load balancer. */

import { createService, type Service } from '../../src/service/service.ts'
import type { ServiceOptions } from '../../src/service/service-options.ts'
import { Client } from './client.ts'
import { type TestService, usualOptions } from './service.ts'

export interface Instance {
  service: Service
  anonymous: Client
  stop(): Promise<void>
}

export async function startInstance(first: TestService, options: ServiceOptions = {}): Promise<Instance> {
  const service = await createService(first.config, { ...usualOptions, ...options })
  const anonymous = new Client(await service.start())
  return { service, anonymous, stop: () => service.stop() }
}

/** On SQLite, which one process serves, the first instance stands for the other as well. */
export async function startOther(first: TestService, options: ServiceOptions = {}): Promise<Instance> {
  if (!first.config.databaseUrl.startsWith('sqlite:')) return startInstance(first, options)
  return { service: first.service, anonymous: first.anonymous, stop: async () => undefined }
}
