/** Random filters and orders: ten thousand on each database, one in five over HTTP. */
import { agreeWithOracle } from './agreement.ts'

const counts = { read: 4000, asked: 1000 }

agreeWithOracle({ sqlite: counts, postgres: counts })
