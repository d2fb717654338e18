/** Eight definitions on each database; each kind of field is in one of them. `random.fault.test.ts` tries two hundred. */
import { tryRandomEntities } from './random/suite.ts'

tryRandomEntities({ definitions: 8, rows: 14, requests: 4, seed: 11 })
