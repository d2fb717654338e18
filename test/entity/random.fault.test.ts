/** Many definitions, others in each run. The title has the seed, with which `ENTITY_SEED` repeats a run. */
import { tryRandomEntities } from './random/suite.ts'

const seed = Number(process.env['ENTITY_SEED'] ?? Date.now() % 1_000_000)

for (let run = 0; run < 5; run++)
  tryRandomEntities({ definitions: 40, rows: 40, requests: 60, seed: seed + run })
