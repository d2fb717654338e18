/** The service with wares beside its products. */
import { runCommandLine } from '../../src/index.ts'
import { wareFeature } from './ware/feature.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), { features: [wareFeature] })
