/** Eight definitions on each database; each kind of field is in one of them. `random.fault.test.ts` tries two hundred. */
import { runsOf } from '../support/run/extent.ts'
import { tryRandomEntities } from './random/suite.ts'

tryRandomEntities({ definitions: 8, rows: runsOf(8, 14), requests: runsOf(2, 4), seed: 11 })
