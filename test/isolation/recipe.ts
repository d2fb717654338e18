/** How a route is called for rows of another tenant. */
import type { Names } from '../support/names.ts'

export interface Recipe {
  /** Values of the path's parameters. */
  path?: (names: Names) => Record<string, string>
  query?: (names: Names) => Record<string, string>
  body?: (names: Names) => unknown
  /** An id that the reply has only because the request names it. */
  echoed?: (names: Names) => string
  /** Ends the session that calls it, so that each call gets a session of its own. */
  endsSession?: boolean
  /** Shows everybody the brand of the tenant that the request names, its id, and where its users sign in. */
  showsBrand?: boolean
}
