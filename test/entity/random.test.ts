/** Sixteen definitions on each database; each kind of field is in one of them. */
import { tryRandomEntities } from './random/suite.ts'

tryRandomEntities({ definitions: 16, rows: 14, requests: 4, seed: 1 })
