/** Random filters and orders, others in each run; `filter.fault.test.ts` tries ten thousand on each database. */
import { agreeWithOracle } from './agreement.ts'

agreeWithOracle({
  sqlite: { read: 500, asked: 40 },
  // It plans each anew, which takes longer than all the rest.
  postgres: { read: 200, asked: 40 },
})
