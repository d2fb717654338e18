import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { createService, type Service } from '../service.ts'
import { createLog } from './log.ts'

/** Runs with the service opened but not listening, and closes it again. @returns the exit code 0 */
export async function withService(
  config: Config,
  work: (context: Context, service: Service) => Promise<void>,
): Promise<number> {
  const service = await createService(config, { log: await createLog({ logLevel: 'silent' }) })
  try {
    await work(await service.operator(), service)
    return 0
  } finally {
    await service.stop()
  }
}
