/** A service as an application starts it, without the command line. */
import { createService, loadConfig } from '../../src/index.ts'

const service = await createService(loadConfig())
process.stdout.write(`Tenantry listens on ${await service.start()}\n`)
process.once('SIGTERM', () => service.stop())
