/** Six hundred requests beside those of good will; `every-route.fault.test.ts` makes twenty times as many. */
import { askEveryRoute } from './every-route.ts'

askEveryRoute(600)
