/** Six thousand requests; `every-route.fault.test.ts` makes four times as many. Both take others in each run. */
import { askEveryRoute } from './every-route.ts'

askEveryRoute(3000)
