/** Every way into rows with rules, for six callers: each reply is what the oracle says. */
import { onEitherDatabase } from '../support/databases.ts'
import { declareWalk } from './suite.ts'

onEitherDatabase('The walk', (database) => declareWalk(database, { answers: 1, share: 2 }))
