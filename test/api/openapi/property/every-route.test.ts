/** In `npm test` eight hundred requests; `every-route.fault.test.ts` makes many more. */
import { runsOf } from '../../../support/run/extent.ts'
import { askEveryRoute } from './every-route.ts'

askEveryRoute(runsOf(800, 3000))
