import { createService, loadConfig } from '../src/index.ts'
import { supplierFeature } from './supplier/feature.ts'

const service = await createService(loadConfig(), { features: [supplierFeature] })
process.stdout.write(`The service listens on ${await service.start()}\n`)
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => service.stop())
