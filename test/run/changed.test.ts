import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesThatTouch } from '../support/run/changed.ts'

const category = 'test/catalog/category/category.test.ts'
const total = 'test/orders/total.test.ts'
const orderState = 'test/orders/state.test.ts'
const references = 'test/documents/references.test.ts'
const own = 'test/run/changed.test.ts'
const files = [category, total, orderState, references, own]

const cases: Record<string, [changed: string, touched: string[]]> = {
  'the file itself': [category, [category]],
  'what imports it': ['test/support/run/changed.ts', [own]],
  'what imports it through others': ['test/support/run/extent.ts', [category, total, orderState]],
  'the folder of its part': ['src/catalog/category/rest.ts', [category]],
  'the folder of the room above, if the part has none': ['src/orders/any/file.ts', [total, orderState]],
  'not all that starts the service': ['src/service/service.ts', []],
  'the documents': ['docs/webhooks.md', [references]],
}

for (const [title, [changed, touched]] of Object.entries(cases)) {
  test(`A change touches ${title}`, () => assert.deepEqual(filesThatTouch(files, [changed]), touched))
}
