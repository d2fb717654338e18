/** Every way into rows with rules, for six callers, in many states: each of 100 000 replies is what the oracle says. */
import { onEachDatabase } from '../support/databases.ts'
import { declareWalk } from './suite.ts'

onEachDatabase('The long walk', (database) => declareWalk(database, { answers: 50_000, share: 1 }))
