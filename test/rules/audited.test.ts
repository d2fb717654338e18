/** Every audited action that a feature declares is recorded by its code. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { sharedService } from '../support/service.ts'
import { readProjectFile, root } from '../support/source.ts'

test('what features declare as audited is recorded somewhere', async () => {
  const service = await sharedService('sqlite')
  // Those of an entity go with its events: src/entity records both.
  const byHand = service.service.features.filter((feature) => !('model' in feature))
  const actions = byHand.flatMap(({ audited = {} }) => Object.keys(audited))
  await service.stop()
  assert.ok(actions.length > 40)
  const texts = globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('/feature.ts'))
    .map((path) => readProjectFile(path) ?? '')
    .filter((text) => /\baudit\/a(ction|udit)\.ts'/.test(text))
  assert.deepEqual(
    actions.filter((action) => !texts.some((text) => text.includes(`'${action}'`))),
    [],
    'record these in the transactions of their changes, or remove them from `audited` of the feature',
  )
})
