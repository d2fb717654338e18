/** Twenty-four thousand requests. */
import { askEveryRoute } from './every-route.ts'

askEveryRoute(12_000)
