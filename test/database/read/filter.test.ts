/** Random filters and orders: ten thousand in a run, on both databases together. */
import { agreeWithOracle } from './agreement.ts'

agreeWithOracle({
  sqlite: { read: 3400, asked: 200 },
  // It plans each anew, which takes longer than all the rest.
  postgres: { read: 1200, asked: 200 },
})
