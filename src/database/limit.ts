/** How limits are declared. Each limiter has a declaration beside it, and `docs/limits.md` has a table of them. */

export interface Limit {
  /** The name of what is counted, in the plural. */
  name: string
  /**
   * What frees capacity again. `permits`: work that ends. `rate`: time that passes. `memory`: entries of other holders,
   * which are evicted.
   */
  kind: 'permits' | 'rate' | 'memory'
  /** The bounds by holder, the widest first. A text describes a bound that depends on other values. */
  bounds: Readonly<Record<string, number | string>>
  /** The unit of the bounds, where `name` does not say it. */
  unit?: 'bytes' | 'cost units'
  /** The settings, and the options of the service, that change the bounds. */
  changedBy?: readonly string[]
  /** What happens to a caller who exceeds a bound. */
  beyond: string
  /** How `client_limits_exceeded_total` and the log name it. */
  reasons?: readonly string[]
  /** Further metrics that show it. */
  metrics?: readonly string[]
  /** The page that describes it, from `docs`. */
  page: string
}

/** How `bounds` describes the share of one holder in a limiter that many share. */
export const fairShareText = 'a quarter, and no more than are free'
