/** The service in this process, where another process was killed or has left its files. */
import { loadConfig } from '../../../src/core/settings/config.ts'
import { createService } from '../../../src/service/service.ts'
import { Client } from '../client.ts'
import { usualOptions } from '../service.ts'

export interface ServedHere extends AsyncDisposable {
  url: string
  anonymous: Client
}

/** @param folder of relative paths in the settings */
export async function serveHere(settings: Record<string, string>, folder: string): Promise<ServedHere> {
  const service = await createService(loadConfig({ PORT: '0', ...settings }, folder), usualOptions)
  const url = await service.start()
  return { url, anonymous: new Client(url), [Symbol.asyncDispose]: () => service.stop() }
}
