/** The rules of the project that look at its source: they share one pass over it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsHaveCodes } from './coded-faults.ts'
import { refusalsHaveCodes } from './coded-refusals.ts'
import { textsAreTranslated } from './console-text.ts'
import { contextsHaveOneMaker } from './contexts.ts'
import { everyTestRuns } from './every-test-runs.ts'
import {
  assertionsHaveReasons,
  commentsKeepPromises,
  environmentIsRead,
  namesSaySomething,
} from './hygiene.ts'
import { importsInward, rankOf } from './imports.ts'
import { installationIsAskedFor } from './installation.ts'
import { testRules } from './rule.ts'
import { onlyQueuesSeeAll, statementsInTheirPlace, throughTheScope } from './statements.ts'
import { wordsMisleadNobody } from './words.ts'

testRules([
  namesSaySomething,
  environmentIsRead,
  commentsKeepPromises,
  assertionsHaveReasons,
  importsInward,
  contextsHaveOneMaker,
  installationIsAskedFor,
  statementsInTheirPlace,
  throughTheScope,
  onlyQueuesSeeAll,
  wordsMisleadNobody,
  faultsHaveCodes,
  refusalsHaveCodes,
  textsAreTranslated,
  everyTestRuns,
])

test('a folder or a file that is in no room is refused', () => {
  for (const path of ['src/notes/note.ts', 'src/tally.ts']) assert.throws(() => rankOf(path), /is in no room/)
})
