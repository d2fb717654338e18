/** The tables of docs/scaling.md that are simulated, as Markdown. */
import { serve } from './connections.ts'
import { busiestServer } from './tenants.ts'

const tenants = 1_000_000
const apart = [0, 10, 100, 1000]
const requestsPerSecond = 1000
const connections = [20, 50, 100, 200]

export function placementTable(): string {
  const head = [
    'Servers',
    ...apart.map((count) => (count === 0 ? 'None apart' : `The ${count} busiest apart`)),
  ]
  const lines = [10, 100, 1000].map((servers) => [
    `${servers}`,
    ...apart.map((count) => busiestServer({ tenants, servers, apart: count }).toFixed(1)),
  ])
  return markdown(head, lines)
}

export function connectionTable(): string {
  const head = ['Databases', ...connections.map((most) => `${most} connections`)]
  const lines = [10, 50, 100, 200].map((databases) => [
    `${databases}`,
    ...connections.map((most) => {
      const { opened, waited } = serve({ databases, most, requestsPerSecond, requests: 100_000 })
      const share = `${(opened * 100).toFixed(1)} %`
      return waited > 0.001 ? `${share}, ${(waited * 100).toFixed(1)} % wait` : share
    }),
  ])
  return markdown(head, lines)
}

function markdown(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
