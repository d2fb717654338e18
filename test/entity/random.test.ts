/** Sixteen definitions on each database; each kind of field is in one of them. */
import { tryRandomEntities } from './random/suite.ts'

tryRandomEntities({ definitions: 16, rows: 24, requests: 8, seed: 1 })
