/** Many tenants on many database servers, each placed by chance: how much more than the others the busiest one has. */
import { Random } from './random.ts'

export interface Placement {
  tenants: number
  servers: number
  /** So many of the busiest have a server of their own. */
  apart: number
}

/** What tenants ask for is like words in a text: the nth asks for 1/n of what the first one does (Zipf). */
export function shareOf(rank: number): number {
  return 1 / rank
}

/** @returns the load of the busiest server as a multiple of the mean, of those that tenants share */
export function busiestServer({ tenants, servers, apart }: Placement): number {
  const random = new Random(servers)
  const loads = new Float64Array(servers)
  let sum = 0
  for (let rank = apart + 1; rank <= tenants; rank++) {
    const server = random.below(servers)
    loads[server] = (loads[server] ?? 0) + shareOf(rank)
    sum += shareOf(rank)
  }
  return Math.max(...loads) / (sum / servers)
}
