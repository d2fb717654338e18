/** `npm run openapi`: rewrites the committed copy. */
import { writeFileSync } from 'node:fs'
import { copyPath, readOpenApi, toCopy } from '../../support/http/openapi-document.ts'
import { startService } from '../../support/service.ts'

const service = await startService('sqlite')
writeFileSync(copyPath, toCopy(await readOpenApi(service.anonymous)))
await service.stop()
