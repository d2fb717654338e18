import { runCommandLine } from '../src/index.ts'
import { supplierFeature } from './supplier/feature.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), { features: [supplierFeature] })
