/** What the documents say that follows from the code is as `npm run documents` writes it. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { parseEnv } from 'node:util'
import { settings } from '../../src/core/settings/settings.ts'
import { sharedService } from '../support/service.ts'
import { readDocument } from './markdown.ts'
import { writtenDocuments } from './written/documents.ts'
import { environmentExample } from './written/settings.ts'
import { tableOf, withPart } from './written/table.ts'

const mend = 'run: npm run documents'

describe('what follows from the code', () => {
  let written: Map<string, string>
  before(async () => {
    const service = await sharedService('sqlite')
    written = await writtenDocuments(service)
    await service.stop()
  })

  test('is in the documents as it is', () => {
    const stale = [...written].filter(([path, text]) => readDocument(path) !== text).map(([path]) => path)
    assert.deepEqual(stale, [], mend)
  })

  test('is all there', () => {
    const rows: [path: string, row: RegExp][] = [
      ['.env.example', /^#PORT=3000$/m],
      ['openapi.json', /"operationId": "createProduct"/],
      ['schema.graphql', /^type Product {$/m],
      ['docs/operations/settings.md', /^\| `PORT` \| .+ \| 3000 \|$/m],
      ['docs/api/audit.md', /^\| `user\.created` \| A user was created \|$/m],
      [
        'docs/webhooks.md',
        /^\| `product\.created` \| A product was created\. \| `productId`, `name`, `price` \|$/m,
      ],
      ['docs/api/overview.md', /^\| GET \| `\/api\/products` \| public \|$/m],
      ['docs/api/overview.md', /^\| POST \| `\/api\/products` \| `product:write` \|$/m],
      ['docs/api/idempotency.md', /^\| POST \| `\/api\/products` \|$/m],
      [
        'docs/limits.md',
        /^\| \[Uploads and downloads\]\(files\.md#limits\) \| instance: 256; .+ \| 503 .+ \|$/m,
      ],
      ['docs/settings.md', /^\| `timeZone` \| .+ \| `Europe\/Zurich` \| `UTC` \| yes \|$/m],
    ]
    for (const [path, row] of rows) assert.match(written.get(path) ?? '', row, path)
    const keys = written.get('docs/api/idempotency.md') ?? ''
    assert.ok(!keys.includes('| GET |'), 'a route that reads takes no key')
  })
})

test('the lines of .env.example mean the defaults once they are uncommented', () => {
  const uncommented = parseEnv(environmentExample().replaceAll(/^#(?=[A-Z0-9_]+=)/gm, ''))
  assert.deepEqual(Object.keys(uncommented).toSorted(), Object.keys(settings).toSorted())
  for (const [name, { parse, initial, shown }] of Object.entries(settings)) {
    const value = uncommented[name] ?? ''
    if (value === '') continue
    assert.deepEqual(parse(value), initial, name)
    assert.equal(shown, value, name)
  }
})

test('a table replaces what stood between its marks', () => {
  const table = tableOf(['Name', 'About'], [['`a|<b>`', 'either <x> | y']])
  const renewed = withPart('before <!-- names -->stale<!-- /names --> after', 'names', table)
  assert.equal(
    renewed,
    'before <!-- names -->\n| Name | About |\n|---|---|\n| `a\\|<b>` | either &lt;x> \\| y |\n<!-- /names --> after',
  )
  assert.throws(() => withPart('no marks', 'names', table), /no <!-- names -->/)
})
