/** How limits are declared. Each limiter has a declaration beside it, and `docs/limits.md` has a table of them. */

export interface Limit {
  /** What is counted, in the plural. */
  name: string
  /** What frees the bound: work that ends, time, or another holder whose memory is taken. */
  kind: 'permits' | 'rate' | 'memory'
  /** By holder, the widest first. A text where the bound depends on other values. */
  bounds: Readonly<Record<string, number | string>>
  /** What the numbers count, where it is not what the name says. */
  unit?: 'bytes' | 'cost units'
  /** The settings, and the options of the service, that change the bounds. */
  changedBy?: readonly string[]
  /** What happens to whatever exceeds a bound. */
  beyond: string
  /** How `client_limits_exceeded_total` and the log name it. */
  reasons?: readonly string[]
  /** Further metrics that show it. */
  metrics?: readonly string[]
  /** The page that describes it, from `docs`. */
  page: string
}

export const fairShareText = 'a quarter, and no more than are free'
