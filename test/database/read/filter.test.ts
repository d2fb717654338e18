/** Random filters and orders; `filter.fault.test.ts` tries ten thousand on each database. */
import { runsOf } from '../../support/run/extent.ts'
import { agreeWithOracle } from './agreement.ts'

agreeWithOracle({
  sqlite: { read: runsOf(120, 500), asked: runsOf(10, 40) },
  // It plans each anew, which takes longer than all the rest.
  postgres: { read: runsOf(60, 200), asked: runsOf(10, 40) },
})
