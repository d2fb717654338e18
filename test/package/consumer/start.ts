import { createService, loadConfig } from 'tenantry'
import { noteFeature } from './note.ts'

const service = await createService(loadConfig(), { features: [noteFeature] })
process.stdout.write(`Tenantry listens on ${await service.start()}\n`)
process.once('SIGTERM', () => service.stop())
