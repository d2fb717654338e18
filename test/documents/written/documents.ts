/** `npm run documents` writes what the documents say that follows from the code. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Feature } from '../../../src/core/feature/feature.ts'
import { schemaOf } from '../../api/graphql/schema/schema-text.ts'
import { readOpenApi, toCopy } from '../../support/http/openapi-document.ts'
import { sharedService, type TestService } from '../../support/service.ts'
import { readDocument, root } from '../markdown.ts'
import { commandReference } from './commands.ts'
import { faultsTable, refusalsTable } from './faults.ts'
import {
  auditTable,
  eventsTable,
  idempotentTable,
  impersonationTable,
  routesTable,
  tenantSettingsTable,
  userPermissionsTable,
} from './features.ts'
import { limitsTables } from './limits.ts'
import { listsTables } from './lists.ts'
import { environmentExample, settingsTable } from './settings.ts'
import { withPart } from './table.ts'

/** The parts of pages: the path, the name of the marks, and what is between them. */
const parts: readonly [path: string, name: string, write: (features: readonly Feature[]) => string][] = [
  ['docs/operations/settings.md', 'settings', settingsTable],
  ['docs/operations/commands.md', 'commands', commandReference],
  ['docs/api/audit.md', 'audited actions', auditTable],
  ['docs/webhooks.md', 'events', eventsTable],
  ['docs/api/overview.md', 'routes', routesTable],
  ['docs/api/errors.md', 'codes of fields', faultsTable],
  ['docs/api/errors.md', 'codes of requests', refusalsTable],
  ['docs/api/idempotency.md', 'routes', idempotentTable],
  ['docs/api/lists.md', 'lists', listsTables],
  ['docs/limits.md', 'limits', limitsTables],
  ['docs/settings.md', 'settings of tenants', tenantSettingsTable],
  ['docs/identity/roles.md', 'permissions of User', userPermissionsTable],
  ['docs/identity/impersonation.md', 'exceptions', impersonationTable],
]

/** @param service with the built-in features alone @returns by path, as they should be */
export async function writtenDocuments({ anonymous, service }: TestService): Promise<Map<string, string>> {
  return new Map([
    ['.env.example', environmentExample()],
    ['openapi.json', toCopy(await readOpenApi(anonymous))],
    ['schema.graphql', await schemaOf(anonymous)],
    ...parts.map(
      ([path, name, write]) => [path, withPart(readDocument(path), name, write(service.features))] as const,
    ),
  ])
}

if (import.meta.main) void writeDocuments()

async function writeDocuments(): Promise<void> {
  const service = await sharedService('sqlite')
  for (const [path, text] of await writtenDocuments(service)) writeFileSync(resolve(root, path), text)
  await service.stop()
}
