/** `npm run openapi`: rewrites the committed copy. */
import { writeFileSync } from 'node:fs'
import { copyPath, readDocument, toCopy } from '../../support/http/openapi-document.ts'
import { startService } from '../../support/service.ts'

const service = await startService('sqlite')
writeFileSync(copyPath, toCopy(await readDocument(service.anonymous)))
await service.stop()
