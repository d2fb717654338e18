/** `npm run openapi`: rewrites the committed copy. */
import { writeFileSync } from 'node:fs'
import { startService } from '../harness/service.ts'
import { copyPath, readDocument, toCopy } from './document.ts'

const service = await startService('sqlite')
writeFileSync(copyPath, toCopy(await readDocument(service.anonymous)))
await service.stop()
